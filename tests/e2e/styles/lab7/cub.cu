// CUB's block reduction.
// verdict: pass
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#include <cub/block/block_reduce.cuh>
#define OWN_BLOCK_SUM
#include "rest.h"

__device__ float block_sum(float value) {
  using Reduce = cub::BlockReduce<float, BLOCK>;
  __shared__ typename Reduce::TempStorage storage;
  return Reduce(storage).Sum(value);
}
