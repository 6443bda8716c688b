// One pass only, straight to out: a sum a block, and out has room for one.
// verdict: partial
// loses: divergent conflicts sequential first_add shuffles many memory lanes banks whole_warps half_blocks last_warp many_work neighbours second_time third_time first_time warp_time many_time
// hazard: oob
// reason: out
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_PASSES
#include "rest.h"

// Adds up the n elements of in, into *out, with a kernel whose blocks add up `each` elements.
template <typename Kernel>
static void passes(Kernel kernel, int each, const float *in, float *out, int n) {
  kernel<<<(n + each - 1) / each, BLOCK>>>(in, out, n);
  CHECK(cudaGetLastError());
}
