// The tiles are smaller than the distance over which their threads exchange elements.
// rule: lanes
// race: A B shared tile
// fix: __syncwarp
#include "pair.h"

namespace cg = cooperative_groups;

__global__ void exchange(int *out) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  auto group = cg::tiled_partition<16>(cg::this_thread_block()); // racy: auto group = cg::tiled_partition<8>(cg::this_thread_block());
  tile[t] = t; // [A]
  group.sync();
  out[t] = tile[t ^ 8]; // [B]
}

int main() {
  int *out = make<int>("out", 64);
  exchange<<<1, 64>>>(out);
  return differs(out, 64, [](int i) { return i ^ 8; });
}
