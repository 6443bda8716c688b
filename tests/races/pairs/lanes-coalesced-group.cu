// The lanes that take a branch synchronise as a coalesced group; those outside are not in it.
// rule: lanes
// race: A B shared tile
// fix: __syncwarp
#include "pair.h"

namespace cg = cooperative_groups;

__global__ void exchange(int *out) {
  __shared__ int tile[32];
  int lane = threadIdx.x;
  tile[lane] = lane; // [A]
  if (lane % 2 == 0) {
    cg::coalesced_threads().sync();
    int other = 30 - lane; // racy: int other = 31 - lane;
    out[lane] = tile[other] / 2; // [B]
  }
}

int main() {
  int *out = make<int>("out", 32);
  exchange<<<1, 32>>>(out);
  return differs(out, 32, [](int i) { return i % 2 ? 0 : (30 - i) / 2; });
}
