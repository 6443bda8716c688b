// A barrier does not wait for asynchronous copies: the wait comes first.
// rule: asynchronous copies
// race: B A shared tile
// fix: wait
#include <cuda_pipeline_primitives.h>

#include "pair.h"

__global__ void reverse(const int *in, int *out) {
  __shared__ int tile[128];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], in + t, 4); // [A]
  __pipeline_commit();
  __pipeline_wait_prior(0); // racy: (nothing)
  __syncthreads();
  out[t] = tile[127 - t]; // [B]
  __pipeline_wait_prior(0);
}

int main() {
  int *in = make<int>("in", 128), *out = make<int>("out", 128);
  reverse<<<1, 128>>>(in, out);
  return differs(out, 128, [](int) { return 0; });
}
