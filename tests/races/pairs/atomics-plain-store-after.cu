// The plain store is that of the later block.
// rule: atomics
// race: A B state
// fix: atomic
#include "pair.h"

__global__ void mark(int *state) {
  if (blockIdx.x == 1)
    atomicMax(state, 5); // racy: *state = 5; // [A]
  else
    atomicMax(state, 3); // [B]
}

int main() {
  int *state = make<int>("state", 1);
  mark<<<2, 1>>>(state);
  return differs(state, 1, [](int) { return 5; });
}
