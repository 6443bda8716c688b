// A thread reads what it copies asynchronously only after it has waited for it.
// rule: asynchronous copies
// race: B A shared tile
// says: asynchronous copy of its own
// fix: wait
#include <cuda_pipeline_primitives.h>

#include "pair.h"

__global__ void twice(const int *in, int *out) {
  __shared__ int tile[64];
  int t = threadIdx.x;
  __pipeline_memcpy_async(&tile[t], in + t, 4); // [A]
  __pipeline_commit();
  __pipeline_wait_prior(0); // racy: (nothing)
  out[t] = 2 * tile[t]; // [B]
}

int main() {
  int *in = make<int>("in", 64), *out = make<int>("out", 64);
  twice<<<1, 64>>>(in, out);
  return differs(out, 64, [](int) { return 0; });
}
