// Blocks store the same value: nothing is lost, so it is a warning.
// rule: same value
// warning: A A found
#include "pair.h"

__global__ void mark(int *found) {
  if (blockIdx.x < 1) // racy: if (blockIdx.x < 4)
    *found = 1; // [A]
}

int main() {
  int *found = make<int>("found", 1);
  mark<<<4, 1>>>(found);
  return differs(found, 1, [](int) { return 1; });
}
