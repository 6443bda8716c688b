// The last warp as in the sources of 2007: volatile, and no barrier, as if lanes ran in step.
// verdict: partial
// loses: barriers
// hazard: race
// reason: __syncwarp
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
  __shared__ float sum[BLOCK];  // thread t writes [t]
  int t = threadIdx.x, i = blockIdx.x * 2 * blockDim.x + t, j = i + blockDim.x;
  sum[t] = (i < n ? in[i] : 0.0f) + (j < n ? in[j] : 0.0f);
  __syncthreads();  // read after write: the other half's sums
  for (int half = blockDim.x / 2; half > 32; half /= 2) {
    if (t < half) sum[t] += sum[t + half];
    __syncthreads();  // read after write: the sums of this step
  }
  if (t >= 32) return;
  volatile float *rest = sum;
  rest[t] += rest[t + 32];
  rest[t] += rest[t + 16];
  rest[t] += rest[t + 8];
  rest[t] += rest[t + 4];
  rest[t] += rest[t + 2];
  rest[t] += rest[t + 1];
  if (t == 0) out[blockIdx.x] = rest[0];
}
