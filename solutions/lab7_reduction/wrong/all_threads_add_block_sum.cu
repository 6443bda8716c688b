// Not only thread 0 adds the block's sum: lanes of the first warp add what is left of theirs.
// verdict: partial
// loses: atomic one_launch one_atomic atomic_time
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
  float value = block_sum(thread_sum(in, n));
  atomicAdd(out, value);
}
