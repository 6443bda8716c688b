// A reduction by shuffles needs no memory; only its result is handed on, which must be stored by one lane.
// rule: lanes
// race: A A total
// fix: own element
#include "pair.h"

__global__ void sum(int *total) {
  int v = threadIdx.x;
  for (int d = 16; d > 0; d /= 2) v += __shfl_down_sync(0xffffffffu, v, d);
  if (threadIdx.x == 0) // racy: if (threadIdx.x < 2)
    *total += v; // [A]
}

int main() {
  int *total = make<int>("total", 1);
  sum<<<1, 32>>>(total);
  return differs(total, 1, [](int) { return 31 * 16; });
}
