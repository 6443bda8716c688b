// Of a block's elements the first half of its threads has the even ones, the second half the odd ones.
// verdict: pass
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_BY_WARP_KERNEL
#include "rest.h"

__global__ void by_warp_kernel(const float *in, float *out, int n, int rounds) {
  bool is_odd = threadIdx.x >= blockDim.x / 2;
  int i = blockIdx.x * blockDim.x + 2 * (threadIdx.x % (blockDim.x / 2)) + is_odd;
  if (i >= n) return;
  float x = in[i];
  for (int round = 0; round < rounds; round++) x = is_odd ? odd(x) : even(x);
  out[i] = x;
}
