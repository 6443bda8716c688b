// The sync() of a tile of two warps orders the tile's threads, not those of other tiles.
// rule: barriers
// race: A B shared tile
// fix: __syncthreads
#include "pair.h"

namespace cg = cooperative_groups;

__global__ void exchange(int *out) {
  __shared__ int tile[256];
  int t = threadIdx.x;
  auto group = cg::tiled_partition<128>(cg::this_thread_block()); // racy: auto group = cg::tiled_partition<64>(cg::this_thread_block());
  tile[t] = t; // [A]
  group.sync();
  out[t] = tile[t ^ 64]; // [B]
}

int main() {
  int *out = make<int>("out", 256);
  exchange<<<1, 256>>>(out);
  return differs(out, 256, [](int i) { return i ^ 64; });
}
