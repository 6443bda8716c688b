// The total is read once more after the lock has been released.
// rule: locks
// race: A B total
#include "pair.h"

__global__ void add(int *lock, int *total, int *out) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *total += 1; // [A]
  __threadfence();
  atomicExch(lock, 0);
  // racy: out[blockIdx.x] = *(volatile int *)total; // [B]
}

int main() {
  int *lock = make<int>("lock", 1), *total = make<int>("total", 1), *out = make<int>("out", 4);
  add<<<4, 1>>>(lock, total, out);
  return differs(total, 1, [](int) { return 4; });
}
