// A flag that atomicExch sets is put back by another block.
// rule: atomics
// race: A B flag
// fix: atomic
#include "pair.h"

__global__ void toggle(int *flag) {
  if (blockIdx.x == 0)
    atomicExch(flag, 1); // [A]
  else
    atomicExch(flag, 2); // racy: *flag = 2; // [B]
}

int main() {
  int *flag = make<int>("flag", 2);
  toggle<<<2, 1>>>(flag);
  return differs(flag + 1, 1, [](int) { return 0; });
}
