// Managed memory keeps the rules of all others: warps of one block.
// rule: managed memory
// race: A A sum
// fix: atomic
#include "pair.h"

__global__ void add(int *sum) {
  if (threadIdx.x % 32 == 0) {
    atomicAdd(sum, 1); // racy: *sum += 1; // [A]
  }
}

int main() {
  int *sum = make_managed<int>("sum", 1);
  *sum = 0;
  add<<<1, 256>>>(sum);
  cudaDeviceSynchronize();
  cudaMemcpy(sum, sum, sizeof *sum, cudaMemcpyDefault);
  return *sum < 1 || *sum > 8;
}
