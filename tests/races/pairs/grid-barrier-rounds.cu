// A barrier of the whole grid in a loop: each round reads what the round before has written, into the other buffer.
// rule: grid barrier
// race: A A data
#include "pair.h"

__global__ void rounds(int *data, unsigned *count) {
  int b = blockIdx.x, n = gridDim.x;
  for (int round = 0; round < 3; round++) {
    int from = round % 2 * n, to = n - from; // racy: int from = 0, to = 0;
    data[to + b] = data[from + (b + 1) % n] + 1; // [A]
    __threadfence();
    atomicAdd(count, 1);
    while (atomicAdd(count, 0) < (round + 1) * n) {
    }
    __threadfence();
  }
}

int main() {
  int *data = make<int>("data", 8);
  unsigned *count = make<unsigned>("count", 1);
  rounds<<<4, 1>>>(data, count);
  return differs(data + 4, 4, [](int) { return 3; });
}
