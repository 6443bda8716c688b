// A spin lock that one thread a block takes: a fence must follow the atomicCAS that has taken it.
// rule: locks
// race: A A total
// fix: acquire fence
#include "pair.h"

__global__ void add(int *lock, int *total) {
  while (atomicCAS(lock, 0, 1) != 0) {
  }
  __threadfence(); // racy: (nothing)
  *total += 1; // [A]
  __threadfence();
  atomicExch(lock, 0);
}

int main() {
  int *lock = make<int>("lock", 1), *total = make<int>("total", 1);
  add<<<8, 1>>>(lock, total);
  return differs(total, 1, [](int) { return 8; });
}
