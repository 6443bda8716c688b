// A barrier of the whole grid, made of a counter: the fence in front of it hands over what the block has written.
// rule: grid barrier
// race: A B data
// fix: fence
#include "pair.h"

__device__ void grid_barrier(unsigned *count) {
  __syncthreads();
  if (threadIdx.x == 0) {
    __threadfence(); // racy: (nothing)
    atomicAdd(count, 1);
    while (atomicAdd(count, 0) < gridDim.x) {
    }
    __threadfence();
  }
  __syncthreads();
}

__global__ void exchange(int *data, unsigned *count, int *out) {
  int i = blockIdx.x * 64 + threadIdx.x;
  data[i] = i; // [A]
  grid_barrier(count);
  out[i] = data[255 - i]; // [B]
}

int main() {
  int *data = make<int>("data", 256), *out = make<int>("out", 256);
  unsigned *count = make<unsigned>("count", 1);
  exchange<<<4, 64>>>(data, count, out);
  return differs(out, 256, [](int i) { return 255 - i; });
}
