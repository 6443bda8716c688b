// Step 3 is step 2 again.
// verdict: partial
// loses: banks
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_SUM_SEQUENTIAL
#include "rest.h"

void sum_sequential(const float *in, float *out, int n) {
  passes(conflicts_kernel, BLOCK, in, out, n);
}
