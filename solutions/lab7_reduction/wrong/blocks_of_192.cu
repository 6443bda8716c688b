// Blocks of 192 threads, which is no power of two: of 3 sums a step adds 2.
// verdict: partial
// loses: divergent conflicts sequential first_add shuffles lanes banks whole_warps half_blocks last_warp second_time third_time first_time warp_time
// may-lose: memory many atomic
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
constexpr int BLOCK = 192;
#define OWN_BLOCK
#include "rest.h"
