// In a barrier of the whole grid all threads of a block must wait for the one that polls.
// rule: grid barrier
// race: A B data
// fix: barrier or fence
#include "pair.h"

__global__ void exchange(int *data, unsigned *count, int *out) {
  int i = blockIdx.x * 64 + threadIdx.x;
  data[i] = i; // [A]
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence();
    atomicAdd(count, 1);
    while (*(volatile unsigned *)count < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads(); // racy: (nothing)
  out[i] = data[255 - i]; // [B]
}

int main() {
  int *data = make<int>("data", 256), *out = make<int>("out", 256);
  unsigned *count = make<unsigned>("count", 1);
  exchange<<<4, 64>>>(data, count, out);
  return differs(data, 256, [](int i) { return i; });
}
