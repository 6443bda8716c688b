// Cooperative groups: tiles of a warp, and their reduce.
// verdict: pass
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#define OWN_WARP_SUM
#define OWN_BLOCK_SUM
#include "rest.h"

namespace cg = cooperative_groups;

__device__ float warp_sum(float value) {
  auto warp = cg::tiled_partition<32>(cg::this_thread_block());
  return cg::reduce(warp, value, cg::plus<float>());
}

__device__ float block_sum(float value) {
  __shared__ float sums[BLOCK / 32];
  auto block = cg::this_thread_block();
  auto warp = cg::tiled_partition<32>(block);
  value = cg::reduce(warp, value, cg::plus<float>());
  if (warp.thread_rank() == 0) sums[warp.meta_group_rank()] = value;
  block.sync();
  if (warp.meta_group_rank() > 0) return 0.0f;
  value = warp.thread_rank() < warp.meta_group_size() ? sums[warp.thread_rank()] : 0.0f;
  return cg::reduce(warp, value, cg::plus<float>());
}
