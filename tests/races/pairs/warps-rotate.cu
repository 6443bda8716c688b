// Two warps of a block exchange elements: only a barrier orders them.
// rule: warps
// race: A B shared tile
// says: tile
// fix: __syncthreads
#include "pair.h"

__global__ void rotate(int *out) {
  __shared__ int tile[64];
  tile[threadIdx.x] = threadIdx.x; // [A]
  __syncthreads(); // racy: (nothing)
  out[threadIdx.x] = tile[(threadIdx.x + 32) % 64]; // [B]
}

int main() {
  int *out = make<int>("out", 64);
  rotate<<<1, 64>>>(out);
  return differs(out, 64, [](int i) { return (i + 32) % 64; });
}
