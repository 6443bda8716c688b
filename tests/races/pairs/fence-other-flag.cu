// The reader polls a flag that says nothing of the data it reads.
// rule: fences
// race: A B data
#include "pair.h"

__global__ void message(int *data, int *flag, int *out) {
  if (blockIdx.x == 0) {
    __threadfence();
    atomicExch(&flag[0], 1);
    *data = 42; // [A]
    __threadfence();
    atomicExch(&flag[1], 1);
  } else {
    int which = 1; // racy: int which = 0;
    while (atomicAdd(&flag[which], 0) == 0) {
    }
    __threadfence();
    *out = *data; // [B]
  }
}

int main() {
  int *data = make<int>("data", 1), *flag = make<int>("flag", 2), *out = make<int>("out", 1);
  message<<<2, 1>>>(data, flag, out);
  return differs(data, 1, [](int) { return 42; });
}
