// The first of a thread's two elements is compared with n, the second is not.
// verdict: partial
// loses: first_add memory
// hazard: oob
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
  sum[t] = (i < n ? in[i] : 0.0f) + (i < n ? in[j] : 0.0f);
  __syncthreads();  // read after write: the other half's sums
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) sum[t] += sum[t + half];
    __syncthreads();  // read after write: the sums of this step
  }
  if (t == 0) out[blockIdx.x] = sum[0];
}
