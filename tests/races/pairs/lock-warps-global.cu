// One lane of each warp of several blocks takes a lock; between blocks __threadfence_block is not enough.
// rule: locks
// race: A A total
// fix: wider scope
#include "pair.h"

__global__ void add(int *lock, int *total) {
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS(lock, 0, 1) != 0) {
    }
    __threadfence();
    *total += 1; // [A]
    __threadfence(); // racy: __threadfence_block();
    atomicExch(lock, 0);
  }
}

int main() {
  int *lock = make<int>("lock", 1), *total = make<int>("total", 1);
  add<<<4, 64>>>(lock, total);
  return differs(total, 1, [](int) { return 8; });
}
