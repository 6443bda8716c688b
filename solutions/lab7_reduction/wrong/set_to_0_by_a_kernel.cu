// A kernel of its own sets the result to 0: a launch, where a copy engine's fill would do.
// verdict: partial
// loses: one_launch
// may-lose: atomic_time
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_SUM_ATOMIC
#include "rest.h"

__global__ void zero_kernel(float *out) { *out = 0.0f; }

void sum_atomic(const float *in, float *out, int n) {
  int blocks = std::min(BLOCKS, (n + 8 * BLOCK - 1) / (8 * BLOCK));
  zero_kernel<<<1, 1>>>(out);
  CHECK(cudaGetLastError());
  atomic_kernel<<<blocks, BLOCK>>>(in, out, n);
  CHECK(cudaGetLastError());
}
