// Every thread takes the lock, in a loop that lets the lane that has it go first.
// rule: locks
// race: A A total
// fix: fence
#include "pair.h"

__global__ void add(int *lock, int *total) {
  for (bool done = false; !done;) {
    if (atomicCAS(lock, 0, 1) == 0) {
      __threadfence();
      *total += 1; // [A]
      __threadfence(); // racy: (nothing)
      atomicExch(lock, 0);
      done = true;
    }
  }
}

int main() {
  int *lock = make<int>("lock", 1), *total = make<int>("total", 1);
  add<<<2, 64>>>(lock, total);
  return differs(total, 1, [](int) { return 128; });
}
