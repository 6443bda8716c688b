// A function adds through a pointer that may be to shared memory or to global memory.
// rule: atomics
// race: A B shared total | B B shared total
// fix: atomic
#include "pair.h"

__device__ __noinline__ void add(int *to, int value) {
  atomicAdd(to, value); // racy: *to += value; // [B]
}

__global__ void sum(int *out) {
  __shared__ int total;
  if (threadIdx.x == 0) total = 0; // [A]
  __syncthreads();
  add(&total, threadIdx.x);
  __syncthreads();
  if (threadIdx.x == 0) add(out, total);
}

int main() {
  int *out = make<int>("out", 1);
  sum<<<1, 64>>>(out);
  return differs(out, 1, [](int) { return 63 * 32; });
}
