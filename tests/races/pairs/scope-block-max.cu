// A maximum per block may have block scope, one over the grid may not.
// rule: scopes
// race: A A best
// fix: wider scope
#include "pair.h"

__global__ void maximum(unsigned long long *best) {
  int to = blockIdx.x; // racy: int to = 0;
  atomicMax_block(&best[to], (unsigned long long)(blockIdx.x * 100 + threadIdx.x)); // [A]
}

int main() {
  unsigned long long *best = make<unsigned long long>("best", 4);
  maximum<<<4, 32>>>(best);
  return differs(best, 4, [](int i) { return i * 100 + 31; });
}
