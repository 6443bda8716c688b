// A __device__ variable is global memory: thread 0 sets it, another warp reads it.
// rule: warps
// race: A B limit
// fix: __syncthreads
#include "pair.h"

__device__ int limit;

__global__ void announce(int *out) {
  if (threadIdx.x == 0) limit = 7; // [A]
  __syncthreads(); // racy: (nothing)
  out[threadIdx.x] = limit; // [B]
}

int main() {
  int *out = make<int>("out", 64);
  announce<<<1, 64>>>(out);
  return differs(out, 64, [](int) { return 7; });
}
