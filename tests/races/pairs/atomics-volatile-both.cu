// Two volatile accesses of which one writes: volatile makes neither of them atomic.
// rule: atomics
// race: A B data
#include "pair.h"

__global__ void both(volatile int *data, int *out) {
  int other = 1; // racy: int other = 0;
  if (blockIdx.x == 0)
    data[0] = 7; // [A]
  else
    *out = data[other]; // [B]
}

int main() {
  int *data = make<int>("data", 2), *out = make<int>("out", 1);
  both<<<2, 1>>>(data, out);
  return differs(data, 1, [](int) { return 7; });
}
