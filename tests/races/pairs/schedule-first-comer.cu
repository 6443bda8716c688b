// Only if block 1 comes first does it write, and only then does block 0 read: with block 0 first nothing happens.
// rule: schedule
// race: A B data
// fix: fence
#include "pair.h"

__global__ void first(int *turn, int *data, int *ready, int *out) {
  if (blockIdx.x == 1) {
    if (atomicCAS(turn, 0, 2) == 0) {
      *data = 42; // [A]
      __threadfence(); // racy: (nothing)
      atomicExch(ready, 1);
    }
  } else if (atomicCAS(turn, 0, 1) != 0) {
    while (atomicAdd(ready, 0) == 0) {
    }
    __threadfence();
    *out = *data; // [B]
  }
}

int main() {
  int *turn = make<int>("turn", 1), *data = make<int>("data", 1), *ready = make<int>("ready", 1), *out = make<int>("out", 1);
  first<<<2, 1>>>(turn, data, ready, out);
  return differs(out, 0, [](int) { return 0; });
}
