// verdict: fail
// hazard: build
// reason: stops_itself.cu
// Another submission of the same folder.
#include "attack.h"
#include "stops_itself.cu"
