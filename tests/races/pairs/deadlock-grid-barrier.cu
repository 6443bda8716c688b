// Each multiprocessor holds one block of 200 KiB, 132 in all: a 133rd never arrives at a barrier of the whole grid.
// rule: progress
// deadlock: A B
// fix: fewer blocks
// also: timeout
#include "pair.h"

__global__ void arrive(unsigned *count) {
  extern __shared__ int space[];
  if (threadIdx.x == 0) {
    space[0] = 1;
    atomicAdd(count, 1); // [B]
    while (atomicAdd(count, 0) < gridDim.x) { // [A]
    }
  }
  __syncthreads();
}

int main() {
  unsigned *count = make<unsigned>("count", 1);
  if (cudaFuncSetAttribute(arrive, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10)) return 1;
  unsigned blocks = 132; // racy: unsigned blocks = 133;
  arrive<<<blocks, 32, 200 << 10>>>(count);
  return differs(count, 1, [](int) { return 132; });
}
