// atomicAdd_block is atomic for the threads of its block only; here two blocks add.
// rule: scopes
// race: A A count
// fix: wider scope
#include "pair.h"

__global__ void tally(int *count) {
  atomicAdd_block(count, 1); // [A]
}

int main() {
  int *count = make<int>("count", 1);
  tally<<<1, 64>>>(count); // racy: tally<<<2, 32>>>(count);
  return differs(count, 1, [](int) { return 64; });
}
