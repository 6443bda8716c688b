// Kernels in two streams that only add with atomics do not race, whatever their order.
// rule: streams
// race: A B sum
// fix: event
#include "pair.h"

__global__ void add(int *sum, bool atomic) {
  if (atomic)
    atomicAdd(sum, 1); // [A]
  else
    *sum += 1; // [B]
}

int main() {
  int *sum = make<int>("sum", 1);
  cudaStream_t first, second;
  cudaStreamCreate(&first), cudaStreamCreate(&second);
  add<<<1, 32, 0, first>>>(sum, true);
  add<<<1, 32, 0, second>>>(sum, true); // racy: add<<<1, 1, 0, second>>>(sum, false);
  cudaDeviceSynchronize();
  return differs(sum, 1, [](int) { return 64; });
}
