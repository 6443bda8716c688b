// A stencil in place: blocks overwrite elements that their neighbours still have to read at the border.
// rule: blocks
// race: A A data
// fix: double buffer
#include "pair.h"

__global__ void smooth(int *data, int *out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  out[i] = i + 1 < 128 ? data[i + 1] + 1 : 1; // [A]
}

int main() {
  int *data = make<int>("data", 128), *out = make<int>("out", 128);
  smooth<<<4, 32>>>(data, out); // racy: smooth<<<4, 32>>>(data, data);
  return differs(out, 128, [](int) { return 1; });
}
