// Step 6 with as many threads as elements: all the shuffles for one element each.
// verdict: partial
// loses: many_work
// may-lose: many_time
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_SUM_MANY
#include "rest.h"

void sum_many(const float *in, float *out, int n) {
  passes(many_kernel, BLOCK, in, out, n);
}
