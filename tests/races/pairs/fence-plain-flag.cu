// The flag itself is stored plainly, which races with the atomics that poll it.
// rule: fences
// race: A B flag
// fix: atomic
#include "pair.h"

__global__ void message(int *data, int *flag, int *out) {
  if (blockIdx.x == 0) {
    *data = 42; // [C]
    __threadfence();
    atomicExch(flag, 1); // racy: *flag = 1; // [A]
  } else {
    while (atomicAdd(flag, 0) == 0) { // [B]
    }
    __threadfence();
    *out = *data; // [D]
  }
}

int main() {
  int *data = make<int>("data", 1), *flag = make<int>("flag", 1), *out = make<int>("out", 1);
  message<<<2, 1>>>(data, flag, out);
  return differs(out, 1, [](int) { return 42; });
}
