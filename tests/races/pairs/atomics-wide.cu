// A 64-bit atomic, and a plain read of its upper half: the bytes overlap.
// rule: bytes
// race: A B best
#include "pair.h"

__global__ void maximum(unsigned long long *best, unsigned *out) {
  unsigned *half = (unsigned *)(best + 1); // racy: unsigned *half = (unsigned *)best + 1;
  if (blockIdx.x == 0)
    atomicMax(best, 1ull << 40); // [A]
  else
    *out = *half; // [B]
}

int main() {
  unsigned long long *best = make<unsigned long long>("best", 2);
  unsigned *out = make<unsigned>("out", 1);
  maximum<<<2, 1>>>(best, out);
  return differs(best, 1, [](int) { return 1ull << 40; });
}
