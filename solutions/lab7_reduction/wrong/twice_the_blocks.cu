// Step 4 is launched with as many blocks as step 3: right, as half of them find nothing, and as slow.
// verdict: partial
// loses: half_blocks
// may-lose: first_time
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_SUM_FIRST_ADD
#include "rest.h"

void sum_first_add(const float *in, float *out, int n) {
  passes(first_add_kernel, BLOCK, in, out, n);
}
