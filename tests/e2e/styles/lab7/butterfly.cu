// Shuffles that leave the sum in all lanes, and an unrolled loop of loads.
// verdict: pass
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_WARP_SUM
#define OWN_THREAD_SUM
#include "rest.h"

__device__ float warp_sum(float value) {
#pragma unroll
  for (int mask = 1; mask < 32; mask <<= 1) value += __shfl_xor_sync(ALL, value, mask);
  return value;
}

__device__ float thread_sum(const float *in, int n) {
  float own = 0.0f;
  int stride = gridDim.x * BLOCK, i = blockIdx.x * BLOCK + threadIdx.x;
  for (; i + 3 * stride < n; i += 4 * stride) {
    float a = in[i], b = in[i + stride], c = in[i + 2 * stride], d = in[i + 3 * stride];
    own += (a + b) + (c + d);
  }
  for (; i < n; i += stride) own += in[i];
  return own;
}
