// block_sum reads the sums of other warps without a barrier.
// verdict: partial
// loses: barriers
// may-lose: many atomic many_work neighbours one_launch one_atomic many_time atomic_time
// hazard: race
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_BLOCK_SUM
#include "rest.h"

// The sum over the threads of a block, in its thread 0. All of its threads must call it, once.
__device__ float block_sum(float value) {
  __shared__ float sum[BLOCK / 32];  // lane 0 of warp w writes [w]
  int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  value = warp_sum(value);
  if (lane == 0) sum[warp] = value;
  return warp == 0 ? warp_sum(lane < BLOCK / 32 ? sum[lane] : 0.0f) : 0.0f;
}
