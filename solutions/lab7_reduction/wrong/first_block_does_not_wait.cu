// Block 0 adds up the sums of all blocks in the same launch: who says that they are there?
// verdict: partial
// loses: barriers
// may-lose: memory atomic one_launch one_atomic atomic_time
// hazard: race
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_SUM_ATOMIC
#include "rest.h"

__device__ float parts[BLOCKS];

__global__ void first_block_kernel(const float *in, float *out, int n) {
  float value = block_sum(thread_sum(in, n));
  if (threadIdx.x == 0) parts[blockIdx.x] = value;
  __syncthreads();
  if (blockIdx.x != 0 || threadIdx.x != 0) return;
  value = 0.0f;
  for (int i = 0; i < gridDim.x; i++) value += parts[i];
  *out = value;
}

void sum_atomic(const float *in, float *out, int n) {
  int blocks = std::min(BLOCKS, (n + 8 * BLOCK - 1) / (8 * BLOCK));
  first_block_kernel<<<blocks, BLOCK>>>(in, out, n);
  CHECK(cudaGetLastError());
}
