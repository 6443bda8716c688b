// A __syncwarp of each half orders the lanes of that half only; here they read from the other one.
// rule: lanes
// race: A B shared tile
// fix: __syncwarp
#include "pair.h"

__global__ void reverse(int *out) {
  __shared__ int tile[32];
  int lane = threadIdx.x;
  tile[lane] = lane; // [A]
  __syncwarp(); // racy: __syncwarp(lane < 16 ? 0x0000ffffu : 0xffff0000u);
  out[lane] = tile[31 - lane]; // [B]
}

int main() {
  int *out = make<int>("out", 32);
  reverse<<<1, 32>>>(out);
  return differs(out, 32, [](int i) { return 31 - i; });
}
