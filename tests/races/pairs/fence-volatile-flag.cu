// A volatile flag works with a fence; the data being volatile, too, is no substitute for it.
// rule: fences
// race: A B data
// fix: fence
#include "pair.h"

__global__ void message(volatile int *data, volatile int *flag, int *out) {
  if (blockIdx.x == 0) {
    *data = 42; // [A]
    __threadfence(); // racy: (nothing)
    *flag = 1;
  } else {
    while (*flag == 0) {
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
