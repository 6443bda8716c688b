// No barrier between loading and the first step.
// verdict: partial
// loses: barriers
// may-lose: first_add half_blocks first_time
// hazard: race
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_FIRST_ADD_KERNEL
#include "rest.h"

__global__ void first_add_kernel(const float *in, float *out, int n) {
  __shared__ float sum[BLOCK];  // thread t writes [t]
  int t = threadIdx.x, i = blockIdx.x * 2 * blockDim.x + t, j = i + blockDim.x;
  sum[t] = (i < n ? in[i] : 0.0f) + (j < n ? in[j] : 0.0f);
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) sum[t] += sum[t + half];
    __syncthreads();  // read after write: the sums of this step
  }
  if (t == 0) out[blockIdx.x] = sum[0];
}
