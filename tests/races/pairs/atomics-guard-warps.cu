// The same between the warps of one block.
// rule: atomics
// race: A B best
// fix: atomic
#include "pair.h"

__global__ void maximum(int *best) {
  int seen = atomicOr(best, 0); // racy: int seen = *best; // [A]
  if (seen < (int)threadIdx.x) atomicMax(best, threadIdx.x); // [B]
}

int main() {
  int *best = make<int>("best", 1);
  maximum<<<1, 128>>>(best);
  return differs(best, 1, [](int) { return 127; });
}
