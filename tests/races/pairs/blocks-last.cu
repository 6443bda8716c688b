// The last block adds up what all have stored, and overwrites it: the counter that finds it needs a fence in front.
// rule: last block
// race: A B part
// fix: fence
#include "pair.h"

__global__ void sum(int *part, unsigned *count, int *out) {
  part[blockIdx.x] = blockIdx.x + 1; // [A]
  __threadfence(); // racy: (nothing)
  if (atomicInc(count, gridDim.x - 1) != gridDim.x - 1) return;
  int total = 0;
  for (int i = 0; i < gridDim.x; i++) {
    total += ((volatile int *)part)[i]; // [B]
    part[i] = 0; // [C]
  }
  *out = total;
}

int main() {
  int *part = make<int>("part", 8), *out = make<int>("out", 1);
  unsigned *count = make<unsigned>("count", 1);
  sum<<<8, 1>>>(part, count, out);
  sum<<<8, 1>>>(part, count, out);
  return differs(out, 1, [](int) { return 36; });
}
