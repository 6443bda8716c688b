// Between warps of one block __threadfence_block is enough for a message; without any fence it is none.
// rule: scopes
// race: A B data
// fix: fence
#include "pair.h"

__global__ void message(int *data, int *flag, int *out) {
  if (threadIdx.x == 0) {
    *data = 42; // [A]
    __threadfence_block(); // racy: (nothing)
    atomicExch_block(flag, 1);
  } else if (threadIdx.x == 32) {
    while (atomicAdd_block(flag, 0) == 0) {
    }
    __threadfence_block();
    *out = *data; // [B]
  }
}

int main() {
  int *data = make<int>("data", 1), *flag = make<int>("flag", 1), *out = make<int>("out", 1);
  message<<<1, 64>>>(data, flag, out);
  return differs(out, 1, [](int) { return 42; });
}
