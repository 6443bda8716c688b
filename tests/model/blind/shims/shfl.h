/* shfl.h: shuffles of before Volta, that take no mask, for programs written so. */
#include <cuda_runtime.h>
#define __shfl_xor(value, lanes) __shfl_xor_sync(0xffffffffu, value, lanes)
