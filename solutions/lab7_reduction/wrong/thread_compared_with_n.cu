// The thread is compared with n, not its element.
// verdict: partial
// loses: by_warp memory
// hazard: oob
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
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  int i = t / 64 * 64 + t % 32 * 2 + t / 32 % 2;  // lane l of the pair's first warp: 2 l
  if (t >= n) return;
  float x = in[i];
  if (t / 32 % 2 == 0) {
    for (int round = 0; round < rounds; round++) x = even(x);
  } else {
    for (int round = 0; round < rounds; round++) x = odd(x);
  }
  out[i] = x;
}
