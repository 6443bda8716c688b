// A thread goes on by the threads of its block: all blocks but the first add up what others have.
// verdict: partial
// loses: many atomic many_work neighbours one_launch one_atomic many_time atomic_time
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
  int threads = blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += threads) value += in[i];
  return value;
}
