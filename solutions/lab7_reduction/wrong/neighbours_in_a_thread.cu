// A thread adds up neighbouring elements, so that lanes are far apart.
// verdict: partial
// loses: neighbours
// may-lose: many_time atomic_time many_work
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_THREAD_SUM
#include "rest.h"

// The sum of a thread's share of the n elements.
__device__ float thread_sum(const float *in, int n) {
  float value = 0.0f;
  int threads = gridDim.x * blockDim.x, each = (n + threads - 1) / threads;
  int first = (blockIdx.x * blockDim.x + threadIdx.x) * each;
  for (int i = first; i < first + each && i < n; i++) value += in[i];
  return value;
}
