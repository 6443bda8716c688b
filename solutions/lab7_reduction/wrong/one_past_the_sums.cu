// at <= blockDim.x lets one thread add behind the end of the sums.
// verdict: partial
// loses: memory
// may-lose: conflicts lanes second_time
// hazard: oob
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_CONFLICTS_KERNEL
#include "rest.h"

__global__ void conflicts_kernel(const float *in, float *out, int n) {
  __shared__ float sum[BLOCK];  // thread t loads [t]
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  sum[t] = i < n ? in[i] : 0.0f;
  __syncthreads();  // read after write: the other threads' elements
  for (int step = 1; step < blockDim.x; step *= 2) {
    int at = 2 * step * t;
    if (at <= blockDim.x) sum[at] += sum[at + step];
    __syncthreads();  // read after write: the sums of this step
  }
  if (t == 0) out[blockIdx.x] = sum[0];
}
