// Warp 0 waits for warp 1 of its block, with a volatile flag.
// rule: progress
// race: A B data
// fix: fence
#include "pair.h"

__global__ void wait(int *data, volatile int *flag, int *out) {
  if (threadIdx.x == 32) {
    *data = 42; // [A]
    __threadfence_block(); // racy: (nothing)
    *flag = 1;
  } else if (threadIdx.x == 0) {
    while (*flag == 0) {
    }
    __threadfence_block();
    *out = *data; // [B]
  }
}

int main() {
  int *data = make<int>("data", 1), *flag = make<int>("flag", 1), *out = make<int>("out", 1);
  wait<<<1, 64>>>(data, flag, out);
  return differs(out, 1, [](int) { return 42; });
}
