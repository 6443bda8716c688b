// A message that goes through a third block: who hands it on must fence, too.
// rule: fences
// race: A B data
// fix: fence
#include "pair.h"

__global__ void relay(int *data, int *flag, int *out) {
  if (blockIdx.x == 0) {
    *data = 42; // [A]
    __threadfence();
    atomicExch(&flag[0], 1);
  } else if (blockIdx.x == 1) {
    while (atomicAdd(&flag[0], 0) == 0) {
    }
    __threadfence(); // racy: (nothing)
    atomicExch(&flag[1], 1);
  } else {
    while (atomicAdd(&flag[1], 0) == 0) {
    }
    __threadfence();
    *out = *data; // [B]
  }
}

int main() {
  int *data = make<int>("data", 1), *flag = make<int>("flag", 2), *out = make<int>("out", 1);
  relay<<<3, 1>>>(data, flag, out);
  return differs(out, 1, [](int) { return 42; });
}
