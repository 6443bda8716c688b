// System scope and device scope both cover all threads of the device; block scope does not.
// rule: scopes
// race: A B count
// fix: wider scope
#include "pair.h"

__global__ void tally(int *count) {
  if (blockIdx.x == 0)
    atomicAdd_system(count, 1); // [A]
  else
    atomicAdd(count, 1); // racy: atomicAdd_block(count, 1); // [B]
}

int main() {
  int *count = make<int>("count", 1);
  tally<<<2, 32>>>(count);
  return differs(count, 1, [](int) { return 64; });
}
