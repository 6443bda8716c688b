// After polling a flag a missing fence is tolerated on the reader's side, not on the writer's.
// rule: fences
// race: A B data
// fix: fence
#include "pair.h"

__global__ void message(int *data, int *flag, int *out) {
  if (blockIdx.x == 0) {
    *data = 42; // [A]
    __threadfence(); // racy: (nothing)
    atomicExch(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    *out = *data; // [B]
  }
}

int main() {
  int *data = make<int>("data", 1), *flag = make<int>("flag", 1), *out = make<int>("out", 1);
  message<<<2, 1>>>(data, flag, out);
  return differs(out, 1, [](int) { return 42; });
}
