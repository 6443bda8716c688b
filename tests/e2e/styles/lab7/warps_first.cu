// Step 5 by warps first: each sums up its elements by shuffles, then the first warp does the sums of warps. One barrier.
// verdict: pass
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_SHUFFLES_KERNEL
#include "rest.h"

__global__ void shuffles_kernel(const float *in, float *out, int n) {
  int i = blockIdx.x * 2 * BLOCK + threadIdx.x;
  float own = i < n ? in[i] : 0.0f;
  if (i + BLOCK < n) own += in[i + BLOCK];
  own = block_sum(own);
  if (threadIdx.x == 0) out[blockIdx.x] = own;
}
