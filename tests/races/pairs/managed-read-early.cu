// A launch returns at once: the host must wait before it reads what the kernel writes into managed memory.
// rule: managed memory
// race: A - counts
// says: host code reads; fill
// fix: synchronize
#include "pair.h"

__global__ void fill(int *counts) { counts[threadIdx.x] = threadIdx.x; }

int main() {
  int *counts = make_managed<int>("counts", 64), sum = 0;
  fill<<<1, 64>>>(counts); // [A]
  cudaDeviceSynchronize(); // racy: (nothing)
  for (int i = 0; i < 64; i++) sum += counts[i];
  cudaDeviceSynchronize();
  return sum != 63 * 32;
}
