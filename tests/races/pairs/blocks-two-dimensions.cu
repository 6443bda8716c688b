// A grid of 2 x 2 blocks whose row is forgotten in the index: two blocks write the same elements.
// rule: blocks
// race: A A data
// fix: own element
#include "pair.h"

__global__ void fill(int *data) {
  int row = blockIdx.y; // racy: int row = 0;
  data[(row * 2 + blockIdx.x) * 32 + threadIdx.x] = blockIdx.y * 2 + blockIdx.x; // [A]
}

int main() {
  int *data = make<int>("data", 128);
  fill<<<dim3(2, 2), 32>>>(data);
  return differs(data, 128, [](int i) { return i / 32; });
}
