// Threads add up their elements in half precision.
// verdict: partial
// loses: many atomic
// may-lose: many_work neighbours one_launch one_atomic many_time atomic_time
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_THREAD_SUM
#include "rest.h"

#include <cuda_fp16.h>
__device__ float thread_sum(const float *in, int n) {
  __half2 value = __floats2half2_rn(0.0f, 0.0f);
  int threads = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += 2 * threads)
    value = __hadd2(value, __floats2half2_rn(in[i], i + threads < n ? in[i + threads] : 0.0f));
  return __low2float(value) + __high2float(value);
}
