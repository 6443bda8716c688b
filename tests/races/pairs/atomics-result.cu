// A sum that atomics have made is read before all of them are done.
// rule: atomics
// race: A B shared sum
// fix: __syncthreads
#include "pair.h"

__global__ void add(int *out) {
  __shared__ int sum;
  if (threadIdx.x == 0) sum = 0;
  __syncthreads();
  atomicAdd(&sum, threadIdx.x); // [A]
  __syncthreads(); // racy: (nothing)
  out[threadIdx.x] = sum; // [B]
}

int main() {
  int *out = make<int>("out", 64);
  add<<<1, 64>>>(out);
  return differs(out, 64, [](int) { return 63 * 32; });
}
