// branch_by_warp is branch_by_thread again.
// verdict: partial
// loses: undivided
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_BRANCH_BY_WARP
#include "rest.h"

void branch_by_warp(const float *in, float *out, int n, int rounds) {
  by_thread_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, n, rounds);
  CHECK(cudaGetLastError());
}
