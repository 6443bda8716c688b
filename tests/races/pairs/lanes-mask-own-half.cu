// A __syncwarp of each half is enough for what lanes of the same half exchange.
// rule: lanes
// race: A B shared tile
// fix: __syncwarp
#include "pair.h"

__global__ void exchange(int *out) {
  __shared__ int tile[32];
  int lane = threadIdx.x;
  int other = lane ^ 8; // racy: int other = lane ^ 16;
  tile[lane] = other; // [A]
  __syncwarp(lane < 16 ? 0x0000ffffu : 0xffff0000u);
  out[lane] = tile[other]; // [B]
}

int main() {
  int *out = make<int>("out", 32);
  exchange<<<1, 32>>>(out);
  return differs(out, 32, [](int i) { return i; });
}
