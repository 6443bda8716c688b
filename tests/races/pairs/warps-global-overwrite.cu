// A stencil in place in global memory, within one block.
// rule: warps
// race: A B data
// fix: __syncthreads
#include "pair.h"

__global__ void shift(int *data) {
  int t = threadIdx.x, right = data[(t + 1) % 64]; // [A]
  __syncthreads(); // racy: (nothing)
  data[t] = right + t + 1; // [B]
}

int main() {
  int *data = make<int>("data", 64);
  shift<<<1, 64>>>(data);
  return differs(data, 64, [](int i) { return i + 1; });
}
