// A plain read decides whether an atomic is worth while: it meets the atomics of other threads.
// rule: atomics
// race: A B best
// fix: atomic
#include "pair.h"

__global__ void maximum(int *best) {
  int mine = blockIdx.x * 64 + threadIdx.x;
  int seen = atomicOr(best, 0); // racy: int seen = *best; // [A]
  if (seen < mine) atomicMax(best, mine); // [B]
}

int main() {
  int *best = make<int>("best", 1);
  maximum<<<4, 64>>>(best);
  return differs(best, 1, [](int) { return 255; });
}
