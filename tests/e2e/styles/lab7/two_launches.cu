// Two launches, and room that is allocated in stream order. The second has one block, whose threads go through all sums.
// verdict: pass
//
//   by_thread = 1
//   by_warp = 0
//   short = 0
//   rolled = 32
//   by_4 = 8
//   unrolled = 0
#define OWN_PASSES
#define OWN_SUM_MANY
#include "rest.h"

__global__ void finish_kernel(const float *sums, float *out, int n) {
  float own = 0.0f;
  for (int i = threadIdx.x; i < n; i += BLOCK) own += sums[i];
  own = block_sum(own);
  if (threadIdx.x == 0) out[0] = own;
}

template <typename Kernel>
static void passes(Kernel kernel, int each, const float *in, float *out, int n) {
  int blocks = n / each + (n % each != 0);
  float *sums;
  CHECK(cudaMallocAsync(&sums, blocks * sizeof(float), 0));
  kernel<<<blocks, BLOCK>>>(in, sums, n);
  CHECK(cudaGetLastError());
  finish_kernel<<<1, BLOCK>>>(sums, out, blocks);
  CHECK(cudaGetLastError());
  CHECK(cudaFreeAsync(sums, 0));
}

void sum_many(const float *in, float *out, int n) {
  passes(many_kernel, std::max(4 * BLOCK, n / BLOCKS + 1), in, out, n);
}
