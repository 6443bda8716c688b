// Warps add to a word of shared memory, and nothing says that it has been set to 0 by then.
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
#define OWN_ATOMIC_KERNEL
#include "rest.h"

__global__ void atomic_kernel(const float *in, float *out, int n) {
  __shared__ float all;
  float value = warp_sum(thread_sum(in, n));
  if (threadIdx.x == 0) all = 0.0f;
  if (threadIdx.x % 32 == 0) atomicAdd(&all, value);
  __syncthreads();
  if (threadIdx.x == 0) atomicAdd(out, all);
}
