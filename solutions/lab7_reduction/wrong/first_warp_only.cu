// block_sum returns the sum of the first warp.
// verdict: partial
// loses: many atomic many_work neighbours one_launch one_atomic many_time atomic_time
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_BLOCK_SUM
#include "rest.h"

__device__ float block_sum(float value) { return warp_sum(value); }
