// The next round's copies go to where others still read.
// rule: asynchronous copies
// race: A B shared tile
// fix: __syncthreads
#include <cuda_pipeline_primitives.h>

#include "pair.h"

__global__ void sum(const int *in, int *out) {
  __shared__ int tile[64];
  int t = threadIdx.x, total = 0;
  for (int i = 0; i < 4; i++) {
    __syncthreads(); // racy: (nothing)
    __pipeline_memcpy_async(&tile[t], in + 64 * i + t, 4); // [A]
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    total += tile[63 - t]; // [B]
  }
  out[t] = total;
}

int main() {
  int *in = make<int>("in", 256), *out = make<int>("out", 64);
  sum<<<1, 64>>>(in, out);
  return differs(out, 64, [](int) { return 0; });
}
