// The mask names half of the lanes, and all of them shuffle.
// verdict: partial
// loses: barriers
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
  for (int lanes = 16; lanes > 0; lanes /= 2) value += __shfl_down_sync(0xffff, value, lanes);
  return value;
}
