// The blocks' sums are copied to the host, which adds them up and copies the result back.
// verdict: partial
// loses: divergent conflicts sequential first_add shuffles many lanes banks whole_warps half_blocks last_warp many_work neighbours second_time third_time first_time warp_time many_time
// may-lose: barriers
// reason: the host sends
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#include <vector>
#define OWN_PASSES
#include "rest.h"

// Adds up the n elements of in, into *out, with a kernel whose blocks add up `each` elements.
template <typename Kernel>
static void passes(Kernel kernel, int each, const float *in, float *out, int n) {
  float *sums;
  CHECK(cudaGetSymbolAddress((void **)&sums, sums_of_blocks));
  int blocks = (n + each - 1) / each;
  kernel<<<blocks, BLOCK>>>(in, sums, n);
  CHECK(cudaGetLastError());
  std::vector<float> values(blocks);
  CHECK(cudaMemcpy(values.data(), sums, blocks * sizeof(float), cudaMemcpyDeviceToHost));
  float sum = 0.0f;
  for (float value : values) sum += value;
  CHECK(cudaMemcpy(out, &sum, sizeof sum, cudaMemcpyHostToDevice));
}
