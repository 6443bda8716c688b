// All threads of a block store partial results before thread 0 counts: without a barrier it may count too early.
// rule: last block
// race: A B part
// fix: barrier or fence
#include "pair.h"

__global__ void sum(int *part, unsigned *count, int *out) {
  __shared__ bool last;
  int t = threadIdx.x;
  part[blockIdx.x * 64 + t] = t; // [A]
  __threadfence();
  __syncthreads(); // racy: (nothing)
  if (t == 0) last = atomicAdd(count, 1) == gridDim.x - 1;
  __syncthreads();
  if (!last) return;
  int total = 0;
  for (int b = 0; b < gridDim.x; b++) total += part[b * 64 + 63 - t]; // [B]
  out[t] = total;
}

int main() {
  int *part = make<int>("part", 256), *out = make<int>("out", 64);
  unsigned *count = make<unsigned>("count", 1);
  sum<<<4, 64>>>(part, count, out);
  return differs(part, 256, [](int i) { return i % 64; });
}
