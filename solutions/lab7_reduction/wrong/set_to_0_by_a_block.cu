// The first block sets the result to 0, when others may have added to it.
// verdict: partial
// loses: barriers
// may-lose: atomic one_launch one_atomic atomic_time
// hazard: race
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_SUM_ATOMIC
#define OWN_ATOMIC_KERNEL
#include "rest.h"

__global__ void atomic_kernel(const float *in, float *out, int n) {
  float value = block_sum(thread_sum(in, n));
  if (blockIdx.x == 0 && threadIdx.x == 0) *out = 0;
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, value);
}

void sum_atomic(const float *in, float *out, int n) {
  int blocks = std::min(BLOCKS, (n + 8 * BLOCK - 1) / (8 * BLOCK));
  atomic_kernel<<<blocks, BLOCK>>>(in, out, n);
  CHECK(cudaGetLastError());
}
