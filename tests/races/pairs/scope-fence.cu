// A message to another block: __threadfence_block promises nothing to it.
// rule: scopes
// race: A B data
// fix: wider scope
#include "pair.h"

__global__ void message(int *data, int *flag, int *out) {
  if (blockIdx.x == 0) {
    *data = 42; // [A]
    __threadfence(); // racy: __threadfence_block();
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
  message<<<2, 1>>>(data, flag, out);
  return differs(out, 1, [](int) { return 42; });
}
