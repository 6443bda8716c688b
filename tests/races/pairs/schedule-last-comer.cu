// Whoever counts second reads what the other one has written, whichever block that is.
// rule: schedule
// race: A B data
// fix: fence
#include "pair.h"

__global__ void second(unsigned *count, int *data, int *out) {
  *(blockIdx.x ? data + 1 : data) = 42; // [A]
  __threadfence(); // racy: (nothing)
  if (atomicAdd(count, 1) == 1) *out = data[1 - blockIdx.x]; // [B]
}

int main() {
  unsigned *count = make<unsigned>("count", 1);
  int *data = make<int>("data", 2), *out = make<int>("out", 1);
  second<<<2, 1>>>(count, data, out);
  return differs(out, 1, [](int) { return 42; });
}
