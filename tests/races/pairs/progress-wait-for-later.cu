// Block 0 waits for block 1, which starts after it: both are resident, so it gets its turn.
// rule: progress
// race: A B data
// fix: fence
#include "pair.h"

__global__ void wait(int *data, int *flag, int *out) {
  if (blockIdx.x == 1) {
    *data = 42; // [A]
    __threadfence(); // racy: (nothing)
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    *out = *data; // [B]
  }
}

int main() {
  int *data = make<int>("data", 1), *flag = make<int>("flag", 1), *out = make<int>("out", 1);
  wait<<<2, 1>>>(data, flag, out);
  return differs(out, 1, [](int) { return 42; });
}
