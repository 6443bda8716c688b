// A lane waits for another one of its warp, in the branch that the hardware may run first: lanes make progress, too.
// rule: progress
// race: A B data
// fix: fence
#include "pair.h"

__global__ void wait(int *data, int *flag, int *out) {
  if (threadIdx.x == 0) {
    while (atomicAdd_block(flag, 0) == 0) {
    }
    __threadfence_block();
    *out = *data; // [B]
  } else {
    *data = 42; // [A]
    __threadfence_block(); // racy: (nothing)
    atomicExch_block(flag, 1);
  }
}

int main() {
  int *data = make<int>("data", 1), *flag = make<int>("flag", 1), *out = make<int>("out", 1);
  wait<<<1, 2>>>(data, flag, out);
  return differs(out, 1, [](int) { return 42; });
}
