// __syncthreads orders the threads of a block, not blocks with each other.
// rule: blocks
// race: A B data
// fix: second kernel
#include "pair.h"

__global__ void exchange(int *data, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int other = i ^ 32; // racy: int other = i ^ 64;
  data[i] = i; // [A]
  __syncthreads();
  out[i] = data[other] - other; // [B]
}

int main() {
  int *data = make<int>("data", 128), *out = make<int>("out", 128);
  exchange<<<2, 64>>>(data, out);
  return differs(data, 128, [](int i) { return i; });
}
