// The counter that finds the last block must be atomic.
// rule: last block
// race: A A count
// fix: atomic
#include "pair.h"

__global__ void sum(int *part, int *count, int *out) {
  part[blockIdx.x] = blockIdx.x + 1; // [B]
  __threadfence();
  int before = atomicAdd(count, 1); // racy: int before = (*count)++; // [A]
  if (before != gridDim.x - 1) return;
  __threadfence();
  int total = 0;
  for (int i = 0; i < gridDim.x; i++) total += part[i]; // [C]
  *out = total;
}

int main() {
  int *part = make<int>("part", 8), *count = make<int>("count", 1), *out = make<int>("out", 1);
  sum<<<8, 1>>>(part, count, out);
  return differs(out, 1, [](int) { return 36; });
}
