// Persistent blocks draw their work from a counter, which must be atomic.
// rule: persistent
// race: A A next
// fix: atomic
#include "pair.h"

__global__ void work(int *next, int *data) {
  for (;;) {
    int item = atomicAdd(next, 1); // racy: int item = (*next)++; // [A]
    if (item >= 16) return;
    data[item] += item; // [B]
  }
}

int main() {
  int *next = make<int>("next", 1), *data = make<int>("data", 16);
  work<<<4, 1>>>(next, data);
  return differs(data, 16, [](int i) { return i; });
}
