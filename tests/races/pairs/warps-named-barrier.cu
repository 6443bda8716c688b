// A named barrier orders those that arrive at it: here two warps at the same one, or each at one of its own.
// alone
// rule: barriers
// race: A B shared tile
// fix: __syncthreads
#include "pair.h"

__global__ void rotate(int *out) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  tile[t] = t; // [A]
  asm volatile("bar.sync 1, 64;" ::: "memory"); // racy: asm volatile("bar.sync %0, 32;" ::"r"(1 + t / 32) : "memory");
  out[t] = tile[63 - t]; // [B]
}

int main() {
  int *out = make<int>("out", 64);
  rotate<<<1, 64>>>(out);
  return differs(out, 64, [](int i) { return 63 - i; });
}
