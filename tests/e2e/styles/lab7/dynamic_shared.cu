// Shared memory as large as the launch says; blocks as the occupancy calculator wants them.
// verdict: pass
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_SUM_MANY
#define OWN_MANY_KERNEL
#include "rest.h"

__global__ void many_kernel(const float *in, float *out, int n) {
  extern __shared__ float sum[];  // lane 0 of warp w writes [w]
  float value = warp_sum(thread_sum(in, n));
  int lane = threadIdx.x % 32, warps = blockDim.x / 32;
  if (lane == 0) sum[threadIdx.x / 32] = value;
  __syncthreads();  // read after write: the other warps' sums
  if (threadIdx.x >= 32) return;
  value = warp_sum(lane < warps ? sum[lane] : 0.0f);
  if (lane == 0) out[blockIdx.x] = value;
}
void sum_many(const float *in, float *out, int n) {
  int blocks, size;
  CHECK(cudaOccupancyMaxPotentialBlockSizeVariableSMem(
      &blocks, &size, many_kernel, [](int b) { return b / 32 * sizeof(float); }));
  blocks = std::min(blocks, (n + 8 * size - 1) / (8 * size));
  float *parts;
  CHECK(cudaGetSymbolAddress((void **)&parts, sums_of_blocks));
  many_kernel<<<blocks, size, size / 32 * sizeof(float)>>>(in, parts, n);
  CHECK(cudaGetLastError());
  many_kernel<<<1, size, size / 32 * sizeof(float)>>>(parts, out, blocks);
  CHECK(cudaGetLastError());
}
