// __syncwarp does not order warps with each other.
// rule: warps
// race: A B shared tile
// fix: __syncthreads
#include "pair.h"

__global__ void rotate(int *out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x; // [A]
  __syncthreads(); // racy: __syncwarp();
  out[threadIdx.x] = tile[(threadIdx.x + 1) % 64]; // [B]
}

int main() {
  int *out = make<int>("out", 64);
  rotate<<<1, 64>>>(out);
  return differs(out, 64, [](int i) { return (i + 1) % 64; });
}
