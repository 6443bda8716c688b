// The condition is each warp's, but element i is still thread i's: even elements get the computation of odd ones.
// verdict: partial
// loses: by_warp undivided
// reason: computed as if
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
  int i = t;
  if (i >= n) return;
  float x = in[i];
  if (t / 32 % 2 == 0) {
    for (int round = 0; round < rounds; round++) x = even(x);
  } else {
    for (int round = 0; round < rounds; round++) x = odd(x);
  }
  out[i] = x;
}
