// No branches at all: branch_by_warp treats odd elements as even ones.
// most: 95
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
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = in[i];
  for (int round = 0; round < rounds; round++) x = even(x);
  out[i] = x;
}
