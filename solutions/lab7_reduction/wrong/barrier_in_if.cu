// Only the threads that add come to the barrier.
// verdict: partial
// loses: barriers
// may-lose: sequential banks whole_warps third_time
// hazard: barrier
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
  sum[t] = i < n ? in[i] : 0.0f;
  __syncthreads();  // read after write: the other half's elements
  for (int half = blockDim.x / 2; half > 0; half /= 2) {
    if (t < half) {
      sum[t] += sum[t + half];
      __syncthreads();
    }
  }
  if (t == 0) out[blockIdx.x] = sum[0];
}
