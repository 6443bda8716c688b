// The block that finishes last adds up the sums of all: no atomic on the result, and one order for the blocks' sums.
// verdict: pass
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
__device__ unsigned finished;

__global__ void last_block_kernel(const float *in, float *out, int n) {
  __shared__ bool is_last;
  float value = block_sum(thread_sum(in, n));
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = value;
    __threadfence();
    is_last = atomicInc(&finished, gridDim.x - 1) == gridDim.x - 1;  // back to 0 by itself
  }
  __syncthreads();
  if (!is_last) return;
  __threadfence();
  value = 0.0f;
  for (int i = threadIdx.x; i < gridDim.x; i += BLOCK)
    value += *(volatile float *)&parts[i];
  value = block_sum(value);
  if (threadIdx.x == 0) *out = value;
}

void sum_atomic(const float *in, float *out, int n) {
  int blocks = std::min(BLOCKS, (n + 8 * BLOCK - 1) / (8 * BLOCK));
  last_block_kernel<<<blocks, BLOCK>>>(in, out, n);
  CHECK(cudaGetLastError());
}
