// Kahan's sum in each thread: what an addition loses is kept for the next.
// verdict: pass
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_THREAD_SUM
#include "rest.h"

__device__ float thread_sum(const float *in, int n) {
  float own = 0.0f, lost = 0.0f;
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) {
    float next = in[i] - lost, sum = own + next;
    lost = (sum - own) - next;
    own = sum;
  }
  return own;
}
