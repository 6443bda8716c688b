// A block of 48 threads: the second warp is half empty, and still a warp of its own.
// rule: warps
// race: A B shared tile
// fix: __syncthreads
#include "pair.h"

__global__ void reverse(int *out) {
  __shared__ int tile[48];
  int t = threadIdx.x;
  tile[t] = t; // [A]
  __syncthreads(); // racy: __syncwarp(t < 32 ? 0xffffffffu : 0xffffu);
  out[t] = tile[47 - t]; // [B]
}

int main() {
  int *out = make<int>("out", 48);
  reverse<<<1, 48>>>(out);
  return differs(out, 48, [](int i) { return 47 - i; });
}
