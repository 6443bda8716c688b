// Persistent blocks: an item needs the result of the one before, and waits for a flag. The flag needs a fence in front.
// rule: persistent
// race: A B data
// fix: fence
#include "pair.h"

__global__ void work(int *next, int *data, int *done) {
  for (;;) {
    int item = atomicAdd(next, 1), before = 0;
    if (item >= 8) return;
    if (item > 0) {
      while (atomicAdd(&done[item - 1], 0) == 0) {
      }
      __threadfence();
      before = data[item - 1]; // [A]
    }
    data[item] = before + item; // [B]
    __threadfence(); // racy: (nothing)
    atomicExch(&done[item], 1);
  }
}

int main() {
  int *next = make<int>("next", 1), *data = make<int>("data", 8), *done = make<int>("done", 8);
  work<<<2, 1>>>(next, data, done);
  return differs(data, 8, [](int i) { return i * (i + 1) / 2; });
}
