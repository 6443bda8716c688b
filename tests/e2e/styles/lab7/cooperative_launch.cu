// One cooperative launch: the first block adds up the sums of all blocks behind grid.sync().
// verdict: pass
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#include <cooperative_groups.h>
#define OWN_SUM_ATOMIC
#define OWN_ATOMIC_KERNEL
#define OWN_SUM_MANY
#include "rest.h"
namespace cg = cooperative_groups;
__global__ void atomic_kernel(const float *in, float *out, int n) {
  auto grid = cg::this_grid();
  float sum = 0;
  for (auto i = grid.thread_rank(); i < n; i += grid.size()) sum += in[i];
  sum = block_sum(sum);
  if (threadIdx.x == 0) sums_of_blocks[blockIdx.x] = sum;
  grid.sync();
  if (blockIdx.x == 0 && threadIdx.x < 32) {
    sum = 0;
    for (int i = threadIdx.x; i < gridDim.x; i += 32) sum += sums_of_blocks[i];
    sum = warp_sum(sum);
    if (threadIdx.x == 0) *out = sum;
  }
}
void sum_atomic(const float *in, float *out, int n) {
  int per_sm = 0, sms = 0;
  CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&per_sm, atomic_kernel, BLOCK, 0));
  CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  int blocks = std::max(1, std::min(per_sm * sms, n / (8 * BLOCK)));
  void *args[] = {&in, &out, &n};
  CHECK(cudaLaunchCooperativeKernel((void *)atomic_kernel, dim3(blocks), dim3(BLOCK), args, 0, 0));
}
void sum_many(const float *in, float *out, int n) { sum_atomic(in, out, n); }
