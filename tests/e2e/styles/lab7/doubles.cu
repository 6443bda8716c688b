// Sums in double: the order hardly matters then.
// verdict: pass
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_THREAD_SUM
#define OWN_BLOCK_SUM
#define OWN_WARP_SUM
#include "rest.h"

__device__ double warp_sum_double(double value) {
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(ALL, value, lanes);
  return value;
}

__device__ float warp_sum(float value) { return (float)warp_sum_double(value); }

__device__ float block_sum(float value) {
  __shared__ double sums[BLOCK / 32];
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  double own = warp_sum_double(value);
  if (lane == 0) sums[warp] = own;
  __syncthreads();
  return warp == 0 ? (float)warp_sum_double(lane < BLOCK / 32 ? sums[lane] : 0.0) : 0.0f;
}

__device__ float thread_sum(const float *in, int n) {
  double own = 0.0;
  for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK) own += in[i];
  return (float)own;
}
