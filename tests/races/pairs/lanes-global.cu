// Lanes of a warp exchange elements through global memory.
// rule: lanes
// race: A B data
// fix: __syncwarp
#include "pair.h"

__global__ void rotate(int *data, int *out) {
  data[threadIdx.x] = threadIdx.x; // [A]
  __syncwarp(); // racy: (nothing)
  out[threadIdx.x] = data[(threadIdx.x + 1) % 32]; // [B]
}

int main() {
  int *data = make<int>("data", 32), *out = make<int>("out", 32);
  rotate<<<1, 32>>>(data, out);
  return differs(out, 32, [](int i) { return (i + 1) % 32; });
}
