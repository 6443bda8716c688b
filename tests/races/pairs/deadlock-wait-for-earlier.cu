// Blocks that wait for an earlier one always make progress, however many there are; for a later one they do not.
// rule: progress
// deadlock: A B
// fix: fewer blocks
// also: timeout
#include "pair.h"

__global__ void chain(int *done) {
  extern __shared__ int space[];
  int b = blockIdx.x, last = gridDim.x - 1;
  int wait_for = b > 0 ? b - 1 : -1; // racy: int wait_for = b < last ? last : -1;
  if (wait_for >= 0 && wait_for <= last) {
    while (atomicAdd(&done[wait_for], 0) == 0) { // [A]
    }
  }
  space[0] = b;
  atomicExch(&done[b], 1); // [B]
}

int main() {
  int *done = make<int>("done", 140);
  if (cudaFuncSetAttribute(chain, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10)) return 1;
  chain<<<140, 1, 200 << 10>>>(done);
  return differs(done, 140, [](int) { return 1; });
}
