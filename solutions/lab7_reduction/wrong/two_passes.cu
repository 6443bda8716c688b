// Two passes are taken to be enough: the second has one block, however many sums there are.
// verdict: partial
// loses: divergent conflicts sequential first_add shuffles lanes banks whole_warps half_blocks last_warp second_time third_time first_time warp_time
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
  if (blocks > 1) kernel<<<1, BLOCK>>>(sums, out, blocks);
  CHECK(cudaGetLastError());
}
