// Step 2 is step 1 again.
// verdict: partial
// loses: lanes
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_SUM_CONFLICTS
#include "rest.h"

void sum_conflicts(const float *in, float *out, int n) {
  passes(divergent_kernel, BLOCK, in, out, n);
}
