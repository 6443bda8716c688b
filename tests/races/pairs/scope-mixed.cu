// One block adds with device scope, the other with block scope, which covers neither.
// rule: scopes
// race: A B count
// fix: wider scope
#include "pair.h"

__global__ void tally(int *count) {
  if (blockIdx.x == 0)
    atomicAdd(count, 1); // [A]
  else
    atomicAdd(count, 1); // racy: atomicAdd_block(count, 1); // [B]
}

int main() {
  int *count = make<int>("count", 1);
  tally<<<2, 32>>>(count);
  return differs(count, 1, [](int) { return 64; });
}
