// The same with blocks of many threads: thread 0 counts, and tells the others whether theirs is the last block.
// rule: last block
// race: A B part
// fix: fence
#include "pair.h"

__global__ void sum(int *part, unsigned *count, int *out) {
  __shared__ bool last;
  __shared__ int total;
  int t = threadIdx.x;
  if (t == 0) {
    total = 0;
    part[blockIdx.x] = blockIdx.x + 1; // [A]
    __threadfence(); // racy: (nothing)
    last = atomicAdd(count, 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!last) return;
  if (t < gridDim.x) {
    atomicAdd(&total, part[t]); // [B]
    part[t] = 0; // [C]
  }
  __syncthreads();
  if (t == 0) *out = total;
}

int main() {
  int *part = make<int>("part", 8), *out = make<int>("out", 1);
  unsigned *count = make<unsigned>("count", 1);
  sum<<<8, 64>>>(part, count, out);
  return differs(out, 1, [](int) { return 36; });
}
