// Within a block, atomics of block and of device scope go together; with a plain increment they do not.
// rule: scopes
// race: A B count
// fix: atomic
#include "pair.h"

__global__ void tally(int *count) {
  if (threadIdx.x < 32)
    atomicAdd(count, 1); // [A]
  else
    atomicAdd_block(count, 1); // racy: if (threadIdx.x == 32) *count += 32; // [B]
}

int main() {
  int *count = make<int>("count", 1);
  tally<<<1, 64>>>(count);
  return differs(count, 1, [](int) { return 64; });
}
