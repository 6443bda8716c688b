/* sm_32_intrinsics.h: everything is in cuda_runtime.h. */
#include "cuda_runtime.h"
