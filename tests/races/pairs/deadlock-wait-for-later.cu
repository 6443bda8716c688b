// Each block waits for the next one; with 133 blocks of which 132 fit, the last cannot start before another has ended.
// rule: progress
// deadlock: A B
// fix: fewer blocks
// also: timeout
#include "pair.h"

__global__ void chain(int *done) {
  extern __shared__ int space[];
  int b = blockIdx.x;
  if (b + 1 < gridDim.x) {
    while (atomicAdd(&done[b + 1], 0) == 0) { // [A]
    }
  }
  space[0] = b;
  atomicExch(&done[b], 1); // [B]
}

int main() {
  int *done = make<int>("done", 133);
  if (cudaFuncSetAttribute(chain, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10)) return 1;
  unsigned blocks = 132; // racy: unsigned blocks = 133;
  chain<<<blocks, 1, 200 << 10>>>(done);
  return differs(done, 132, [](int) { return 1; });
}
