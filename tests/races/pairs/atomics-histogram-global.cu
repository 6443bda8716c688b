// A histogram in global memory: blocks add to the same bins.
// rule: atomics
// race: A A bins
// fix: atomic
#include "pair.h"

__global__ void count(int *bins) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  atomicAdd(&bins[i % 8], 1); // racy: bins[i % 8]++; // [A]
}

int main() {
  int *bins = make<int>("bins", 8);
  count<<<4, 64>>>(bins);
  return differs(bins, 8, [](int) { return 32; });
}
