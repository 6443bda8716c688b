// Double buffering: of two groups in flight, one has to be there, not none.
// rule: asynchronous copies
// race: B A shared tile
// fix: wait
#include <cuda_pipeline_primitives.h>

#include "pair.h"

__global__ void sum(const int *in, int *out) {
  __shared__ int tile[2][64];
  int t = threadIdx.x, total = 0;
  for (int i = 0; i < 5; i++) {
    if (i < 4) __pipeline_memcpy_async(&tile[i % 2][t], in + 64 * i + t, 4); // [A]
    __pipeline_commit();
    if (i == 0) continue;
    __pipeline_wait_prior(1); // racy: __pipeline_wait_prior(2);
    __syncthreads();
    total += tile[(i - 1) % 2][63 - t]; // [B]
    __syncthreads();
  }
  out[t] = total;
}

int main() {
  int *in = make<int>("in", 256), *out = make<int>("out", 64);
  sum<<<1, 64>>>(in, out);
  return differs(out, 64, [](int) { return 0; });
}
