// Step 7 adds to what out held before.
// verdict: partial
// loses: atomic memory one_launch one_atomic atomic_time
// reason: set it to 0 first
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_SUM_ATOMIC
#include "rest.h"

void sum_atomic(const float *in, float *out, int n) {
  int blocks = std::min(BLOCKS, (n + 8 * BLOCK - 1) / (8 * BLOCK));
  atomic_kernel<<<blocks, BLOCK>>>(in, out, n);
  CHECK(cudaGetLastError());
}
