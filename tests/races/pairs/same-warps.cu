// Warps of a block store the same value to shared memory.
// rule: same value
// warning: A A shared any
#include "pair.h"

__global__ void mark(int *out) {
  __shared__ int any;
  if (threadIdx.x == 0) any = 0;
  __syncthreads();
  if (threadIdx.x % 64 == 5) // racy: if (threadIdx.x % 32 == 5)
    any = 1; // [A]
  __syncthreads();
  if (threadIdx.x == 0) *out = any;
}

int main() {
  int *out = make<int>("out", 1);
  mark<<<1, 64>>>(out);
  return differs(out, 1, [](int) { return 1; });
}
