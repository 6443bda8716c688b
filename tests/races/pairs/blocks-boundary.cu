// Each block writes one element more than its own, which the next block writes, too.
// rule: blocks
// race: A A data
// fix: own element
#include "pair.h"

__global__ void fill(int *data) {
  int first = blockIdx.x * 64, end = first + 64; // racy: int first = blockIdx.x * 64, end = first + 65;
  for (int i = first + threadIdx.x; i < end; i += blockDim.x) data[i] = blockIdx.x + 1; // [A]
}

int main() {
  int *data = make<int>("data", 257);
  fill<<<4, 64>>>(data);
  return differs(data, 256, [](int i) { return i / 64 + 1; });
}
