// Waiting for another stream does not make the array the host's own.
// rule: managed memory
// race: A - counts
// fix: synchronize
#include "pair.h"

__global__ void fill(int *counts, int value) { counts[threadIdx.x] = value; }

int main() {
  int *counts = make_managed<int>("counts", 64), *others = make_managed<int>("others", 64);
  cudaStream_t a, b;
  cudaStreamCreate(&a), cudaStreamCreate(&b);
  fill<<<1, 64, 0, a>>>(counts, 1); // [A]
  fill<<<1, 64, 0, b>>>(others, 2);
  cudaStreamSynchronize(a); // racy: cudaStreamSynchronize(b);
  int first = counts[9];
  cudaDeviceSynchronize();
  return first != 1 || counts[63] != 1 || others[63] != 2;
}
