// The second pass is of as many elements as the first, and not of the blocks' sums.
// verdict: partial
// loses: divergent conflicts sequential first_add shuffles many memory lanes banks whole_warps half_blocks last_warp many_work neighbours first_time warp_time many_time
// may-lose: barriers
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
  float *sums;
  CHECK(cudaGetSymbolAddress((void **)&sums, sums_of_blocks));
  int blocks = (n + each - 1) / each;
  kernel<<<blocks, BLOCK>>>(in, blocks == 1 ? out : sums, n);
  CHECK(cudaGetLastError());
  if (blocks > 1) kernel<<<1, BLOCK>>>(sums, out, n);
  CHECK(cudaGetLastError());
}
