// A flag that is looked at once: in the usual order it is set. Without a fence in front of it, that is a race in the schedules where it is.
// rule: schedule
// race: A B data
// fix: fence
#include "pair.h"

__global__ void message(int *data, int *flag, int *out) {
  if (blockIdx.x == 1) {
    *data = 42; // [A]
    __threadfence(); // racy: (nothing)
    atomicExch(flag, 1);
  } else if (atomicAdd(flag, 0) == 1) {
    __threadfence();
    *out = *data; // [B]
  }
}

int main() {
  int *data = make<int>("data", 1), *flag = make<int>("flag", 1), *out = make<int>("out", 1);
  message<<<2, 1>>>(data, flag, out);
  return differs(data, 1, [](int) { return 42; });
}
