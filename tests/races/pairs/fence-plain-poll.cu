// The flag is looked at once by a plain read: whatever it sees, that is a race with the atomic that sets it.
// rule: fences
// race: A B flag
// fix: atomic
#include "pair.h"

__global__ void message(int *data, int *flag, int *out) {
  if (blockIdx.x == 0) {
    *data = 42; // [C]
    __threadfence();
    atomicExch(flag, 1); // [A]
  } else if (atomicAdd(flag, 0) == 1) { // racy: } else if (*flag == 1) { // [B]
    __threadfence();
    *out = *data; // [D]
  }
}

int main() {
  int *data = make<int>("data", 1), *flag = make<int>("flag", 1), *out = make<int>("out", 1);
  message<<<2, 1>>>(data, flag, out);
  return differs(data, 1, [](int) { return 42; });
}
