// The sync() of the whole block is a barrier, that of a tile of 32 is __syncwarp.
// rule: barriers
// race: A B shared tile
// fix: __syncthreads
#include "pair.h"

namespace cg = cooperative_groups;

__global__ void rotate(int *out) {
  __shared__ int tile[64];
  cg::thread_block block = cg::this_thread_block();
  int t = block.thread_rank();
  tile[t] = t; // [A]
  block.sync(); // racy: cg::tiled_partition<32>(block).sync();
  out[t] = tile[63 - t]; // [B]
}

int main() {
  int *out = make<int>("out", 64);
  rotate<<<1, 64>>>(out);
  return differs(out, 64, [](int i) { return 63 - i; });
}
