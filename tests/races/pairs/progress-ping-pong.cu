// Two blocks take turns, many times.
// rule: progress
// race: A A data
// fix: fence
#include "pair.h"

__global__ void turns(int *data, int *turn) {
  for (int round = 0; round < 8; round++) {
    while (atomicAdd(turn, 0) % 2 != blockIdx.x) {
    }
    __threadfence();
    *data += 1; // [A]
    __threadfence(); // racy: (nothing)
    atomicAdd(turn, 1);
  }
}

int main() {
  int *data = make<int>("data", 1), *turn = make<int>("turn", 1);
  turns<<<2, 1>>>(data, turn);
  return differs(data, 1, [](int) { return 16; });
}
