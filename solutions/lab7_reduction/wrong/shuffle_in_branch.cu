// Only the lanes that add shuffle, with a mask that names all.
// verdict: partial
// loses: shuffles many atomic last_warp many_work neighbours one_launch one_atomic warp_time many_time atomic_time
// may-lose: barriers
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_WARP_SUM
#include "rest.h"

// The sum over the lanes of a warp, in its lane 0. All of its lanes must call it.
__device__ float warp_sum(float value) {
  for (int lanes = 16; lanes > 0; lanes /= 2)
    if (threadIdx.x % 32 < lanes) value += __shfl_down_sync(ALL, value, lanes);
  return value;
}
