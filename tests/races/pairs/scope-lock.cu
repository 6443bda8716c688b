// A lock that atomicCAS_block takes keeps out threads of the same block only.
// rule: scopes
// race: B B total
// race: A A lock | A C lock | C C lock
#include "pair.h"

__global__ void add(int *lock, int *total) {
  if (threadIdx.x % 32 == 0) {
    while (atomicCAS_block(lock, 0, 1) != 0) { // [A]
    }
    __threadfence();
    *total += 1; // [B]
    __threadfence();
    atomicExch_block(lock, 0); // [C]
  }
}

int main() {
  int *lock = make<int>("lock", 1), *total = make<int>("total", 1);
  add<<<1, 128>>>(lock, total); // racy: add<<<2, 64>>>(lock, total);
  return differs(total, 1, [](int) { return 4; });
}
