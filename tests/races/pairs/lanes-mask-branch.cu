// Only lanes 0 to 15 take part in the __syncwarp, in a branch of their own; lanes 16 to 31 are not ordered with them.
// rule: lanes
// race: A B shared tile
// fix: __syncwarp
#include "pair.h"

__global__ void exchange(int *out) {
  __shared__ int tile[32];
  int lane = threadIdx.x;
  tile[lane] = lane; // [A]
  if (lane < 16) {
    __syncwarp(0x0000ffffu);
    int other = 15 - lane; // racy: int other = 31 - lane;
    out[lane] = tile[other] & 15; // [B]
  }
}

int main() {
  int *out = make<int>("out", 16);
  exchange<<<1, 32>>>(out);
  return differs(out, 16, [](int i) { return 15 - i; });
}
