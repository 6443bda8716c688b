// Nothing is predicted.
// verdict: partial
// loses: concurrency shares
// reason: no answer
#include "rest.h"
