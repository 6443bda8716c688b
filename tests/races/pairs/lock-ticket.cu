// A ticket lock: everybody draws a number and waits for it; serving the next one hands over what was written.
// rule: locks
// race: A A total
// fix: fence
#include "pair.h"

__global__ void add(int *next, int *serving, int *total) {
  int mine = atomicAdd(next, 1);
  while (atomicAdd(serving, 0) != mine) {
  }
  __threadfence();
  *total += 1; // [A]
  __threadfence(); // racy: (nothing)
  atomicAdd(serving, 1);
}

int main() {
  int *next = make<int>("next", 1), *serving = make<int>("serving", 1), *total = make<int>("total", 1);
  add<<<8, 1>>>(next, serving, total);
  return differs(total, 1, [](int) { return 8; });
}
