// Lanes of a warp exchange elements through shared memory. They need not run in step: only __syncwarp orders them.
// rule: lanes
// race: A B shared tile
// says: tile
// fix: __syncwarp
#include "pair.h"

__global__ void rotate(int *out) {
  __shared__ int tile[32];
  tile[threadIdx.x] = threadIdx.x; // [A]
  __syncwarp(); // racy: (nothing)
  out[threadIdx.x] = tile[(threadIdx.x + 1) % 32]; // [B]
}

int main() {
  int *out = make<int>("out", 32);
  rotate<<<1, 32>>>(out);
  return differs(out, 32, [](int i) { return (i + 1) % 32; });
}
