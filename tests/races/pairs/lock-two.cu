// Half of the blocks take another lock: either keeps out only those that take the same.
// rule: locks
// race: A A total
#include "pair.h"

__global__ void add(int *locks, int *total) {
  int *lock = &locks[0]; // racy: int *lock = &locks[blockIdx.x % 2];
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *total += 1; // [A]
  __threadfence();
  atomicExch(lock, 0);
}

int main() {
  int *locks = make<int>("locks", 2), *total = make<int>("total", 1);
  add<<<4, 1>>>(locks, total);
  return differs(total, 1, [](int) { return 4; });
}
