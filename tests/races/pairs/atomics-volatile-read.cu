// A volatile read is not atomic where its value is data: only polling a flag is excused.
// rule: atomics
// race: A B count
// fix: atomic
#include "pair.h"

__global__ void watch(int *count, int *out) {
  if (blockIdx.x == 0)
    atomicAdd(count, 1); // [A]
  else
    *out = atomicAdd(count, 0); // racy: *out = *(volatile int *)count; // [B]
}

int main() {
  int *count = make<int>("count", 1), *out = make<int>("out", 1);
  watch<<<2, 1>>>(count, out);
  return differs(count, 1, [](int) { return 1; });
}
