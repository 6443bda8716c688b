// A histogram in shared memory: many threads add to one bin.
// rule: atomics
// race: A A shared bins
// fix: atomic
#include "pair.h"

__global__ void count(int *out) {
  __shared__ int bins[8];
  int t = threadIdx.x;
  if (t < 8) bins[t] = 0;
  __syncthreads();
  atomicAdd(&bins[t * 5 / 40], 1); // racy: bins[t * 5 / 40]++; // [A]
  __syncthreads();
  if (t < 8) out[t] = bins[t];
}

int main() {
  int *out = make<int>("out", 8);
  count<<<1, 64>>>(out);
  return differs(out, 8, [](int) { return 8; });
}
