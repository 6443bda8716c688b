// A lock that atomicExch takes, with a volatile total: volatile does not replace the fence.
// rule: locks
// race: A A total
// fix: acquire fence
#include "pair.h"

__global__ void add(int *lock, volatile int *total) {
  while (atomicExch(lock, 1) != 0) {
  }
  __threadfence(); // racy: (nothing)
  total[0] = total[0] + 1; // [A]
  __threadfence();
  atomicExch(lock, 0);
}

int main() {
  int *lock = make<int>("lock", 1), *total = make<int>("total", 1);
  add<<<8, 1>>>(lock, total);
  return differs(total, 1, [](int) { return 8; });
}
