// Warps of a block store the same value to global memory.
// rule: same value
// warning: A A found
#include "pair.h"

__global__ void mark(int *found) {
  if (threadIdx.x == 0) // racy: if (threadIdx.x % 32 == 0)
    *found = 1; // [A]
}

int main() {
  int *found = make<int>("found", 1);
  mark<<<1, 128>>>(found);
  return differs(found, 1, [](int) { return 1; });
}
