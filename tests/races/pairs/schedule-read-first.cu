// Block 0 reads, block 1 writes.
// rule: schedule
// race: A B data
// fix: second kernel
#include "pair.h"

__global__ void hand_over(int *data, int *out) {
  if (blockIdx.x == 1)
    data[0] = 1; // [A]
  else
    *out = data[1]; // racy: *out = data[0]; // [B]
}

int main() {
  int *data = make<int>("data", 2), *out = make<int>("out", 1);
  hand_over<<<2, 1>>>(data, out);
  return differs(data, 1, [](int) { return 1; });
}
