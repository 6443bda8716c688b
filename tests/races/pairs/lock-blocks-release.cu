// A spin lock: a fence must stand in front of the store that releases it.
// rule: locks
// race: A A total
// fix: fence
#include "pair.h"

__global__ void add(int *lock, int *total) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence();
  *total += 1; // [A]
  __threadfence(); // racy: (nothing)
  atomicExch(lock, 0);
}

int main() {
  int *lock = make<int>("lock", 1), *total = make<int>("total", 1);
  add<<<8, 1>>>(lock, total);
  return differs(total, 1, [](int) { return 8; });
}
