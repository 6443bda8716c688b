/* sm_35_atomic_functions.h: everything is in cuda_runtime.h. */
#include "cuda_runtime.h"
