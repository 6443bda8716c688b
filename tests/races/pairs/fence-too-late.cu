// The fence stands behind the flag instead of in front of it.
// rule: fences
// race: A B data
// fix: fence
#include "pair.h"

__global__ void message(int *data, int *flag, int *out) {
  if (blockIdx.x == 0) {
    *data = 42; // [A]
    __threadfence(), atomicExch(flag, 1); // racy: atomicExch(flag, 1), __threadfence();
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    *out = *data; // [B]
  }
}

int main() {
  int *data = make<int>("data", 1), *flag = make<int>("flag", 1), *out = make<int>("out", 1);
  message<<<2, 1>>>(data, flag, out);
  return differs(out, 1, [](int) { return 42; });
}
