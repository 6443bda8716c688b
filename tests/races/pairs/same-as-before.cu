// The value stored is the one that was there before: a reader sees it whenever it comes.
// rule: same value
// warning: A B shared carry
#include "pair.h"

__global__ void clear(int *out) {
  __shared__ volatile int carry[64];
  int t = threadIdx.x;
  carry[t] = 0;
  __syncthreads();
  carry[t] = 0; // [A]
  __syncthreads(); // racy: (nothing)
  out[t] = carry[63 - t]; // [B]
}

int main() {
  int *out = make<int>("out", 64);
  clear<<<1, 64>>>(out);
  return differs(out, 64, [](int) { return 0; });
}
