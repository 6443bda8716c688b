// Step 5 is step 4 with named barriers of inline PTX in place of __syncthreads().
// most: 96
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
  __shared__ float sum[BLOCK];
  int t = threadIdx.x, i = blockIdx.x * 2 * BLOCK + t;
  sum[t] = (i < n ? in[i] : 0.0f) + (i + BLOCK < n ? in[i + BLOCK] : 0.0f);
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    asm volatile("barrier.sync 1;" ::: "memory");
    if (t < half) sum[t] += sum[t + half];
  }
  if (t == 0) out[blockIdx.x] = sum[0];
}
