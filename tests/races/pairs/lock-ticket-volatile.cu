// A ticket lock whose turn is volatile: its holder alone counts it up, and the others poll it.
// rule: locks
// race: A A total
// fix: fence
#include "pair.h"

__global__ void add(int *next, volatile int *serving, int *total) {
  int mine = atomicAdd(next, 1);
  while (*serving != mine) {
  }
  __threadfence();
  *total += 1; // [A]
  __threadfence(); // racy: (nothing)
  *serving = mine + 1;
}

int main() {
  int *next = make<int>("next", 1), *serving = make<int>("serving", 1), *total = make<int>("total", 1);
  add<<<8, 1>>>(next, serving, total);
  return differs(total, 1, [](int) { return 8; });
}
