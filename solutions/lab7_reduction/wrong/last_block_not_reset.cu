// The count of finished blocks is never set back: no block of the second call is the last.
// verdict: partial
// loses: atomic
// may-lose: one_launch one_atomic atomic_time
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

// The block that finishes last adds up the sums of all.
__global__ void last_block_kernel(const float *in, float *out, int n) {
  __shared__ bool last;
  float value = block_sum(thread_sum(in, n));
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = value;
    __threadfence();  // the sum is there before the count says so
    last = atomicAdd(&finished, 1) == gridDim.x - 1;
  }
  __syncthreads();  // read after write: last; block_sum's sums are free
  if (!last) return;
  value = 0.0f;
  for (int i = threadIdx.x; i < gridDim.x; i += BLOCK) value += __ldcg(&parts[i]);
  value = block_sum(value);
  if (threadIdx.x == 0) {
    *out = value;
  }
}

void sum_atomic(const float *in, float *out, int n) {
  int blocks = std::min(BLOCKS, (n + 8 * BLOCK - 1) / (8 * BLOCK));
  last_block_kernel<<<blocks, BLOCK>>>(in, out, n);
  CHECK(cudaGetLastError());
}
