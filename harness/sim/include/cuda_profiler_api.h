/* cuda_profiler_api.h: everything is in cuda_runtime.h. */
#include "cuda_runtime.h"
