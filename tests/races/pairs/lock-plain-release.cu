// A lock that is released by a plain store: it meets the atomicCAS of those that wait.
// rule: locks
// race: A B lock
// fix: atomic
#include "pair.h"

__global__ void add(int *lock, int *total) {
  while (atomicCAS(lock, 0, 1) != 0) { // [A]
  }
  __threadfence();
  *total += 1; // [C]
  __threadfence();
  atomicExch(lock, 0); // racy: *lock = 0; // [B]
}

int main() {
  int *lock = make<int>("lock", 1), *total = make<int>("total", 1);
  add<<<8, 1>>>(lock, total);
  return differs(total, 1, [](int) { return 8; });
}
