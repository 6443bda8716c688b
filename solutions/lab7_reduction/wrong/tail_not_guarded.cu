// All threads load, those past the end of in as well.
// verdict: partial
// loses: sequential memory barriers
// hazard: oob
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_SEQUENTIAL_KERNEL
#include "rest.h"

__global__ void sequential_kernel(const float *in, float *out, int n) {
  __shared__ float sum[BLOCK];  // thread t writes [t]
  int t = threadIdx.x, i = blockIdx.x * blockDim.x + t;
  sum[t] = in[i];
  __syncthreads();  // read after write: the other half's elements
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) sum[t] += sum[t + half];
    __syncthreads();  // read after write: the sums of this step
  }
  if (t == 0) out[blockIdx.x] = sum[0];
}
