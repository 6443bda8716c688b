// What is written after the flag is not part of the message.
// rule: fences
// race: A B data
#include "pair.h"

__global__ void message(int *data, int *flag, int *out) {
  if (blockIdx.x == 0) {
    data[0] = 42;
    __threadfence();
    atomicExch(flag, 1);
    data[1] = 43; // [A]
  } else {
    while (atomicAdd(flag, 0) == 0) {
    }
    __threadfence();
    int which = 0; // racy: int which = 1;
    *out = data[which]; // [B]
  }
}

int main() {
  int *data = make<int>("data", 2), *flag = make<int>("flag", 1), *out = make<int>("out", 1);
  message<<<2, 1>>>(data, flag, out);
  return differs(data, 2, [](int i) { return 42 + i; });
}
