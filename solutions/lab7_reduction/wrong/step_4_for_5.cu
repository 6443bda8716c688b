// Step 5 is step 4 again.
// verdict: partial
// loses: last_warp
// may-lose: warp_time
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_SUM_SHUFFLES
#include "rest.h"

void sum_shuffles(const float *in, float *out, int n) {
  passes(first_add_kernel, 2 * BLOCK, in, out, n);
}
