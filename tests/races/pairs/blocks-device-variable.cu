// A __device__ variable that blocks count up.
// rule: blocks
// race: A A total
// fix: atomic
#include "pair.h"

__device__ int total;

__global__ void add(int *out) {
  atomicAdd(&total, 1); // racy: total++; // [A]
  if (threadIdx.x == 99) *out = 0;
}

int main() {
  int *out = make<int>("out", 1);
  add<<<4, 1>>>(out);
  int result = 0;
  if (cudaMemcpyFromSymbol(&result, total, sizeof result)) return 1;
  return result != 4;
}
