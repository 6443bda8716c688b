// Every pass writes over what it reads: a block's sum may be there before another block has read its element.
// verdict: partial
// loses: barriers
// hazard: race
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
  for (int blocks = 0; blocks != 1; n = blocks) {
    blocks = (n + each - 1) / each;
    kernel<<<blocks, BLOCK>>>(in, blocks == 1 ? out : sums, n);
    CHECK(cudaGetLastError());
    in = sums;
  }
}
