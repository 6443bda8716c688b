// The sync() of a tile of 8 threads orders these 8 only.
// rule: lanes
// race: A B shared tile
// fix: __syncwarp
#include "pair.h"

namespace cg = cooperative_groups;

__global__ void exchange(int *out) {
  __shared__ int tile[32];
  int lane = threadIdx.x;
  auto group = cg::tiled_partition<8>(cg::this_thread_block());
  int other = lane ^ 4; // racy: int other = lane ^ 8;
  tile[lane] = other; // [A]
  group.sync();
  out[lane] = tile[other]; // [B]
}

int main() {
  int *out = make<int>("out", 32);
  exchange<<<1, 32>>>(out);
  return differs(out, 32, [](int i) { return i; });
}
