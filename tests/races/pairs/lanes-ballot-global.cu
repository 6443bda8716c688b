// A ballot does not order the lanes' stores to global memory either.
// rule: lanes
// race: A B data
// fix: __syncwarp
#include "pair.h"

__global__ void rotate(int *data, int *out) {
  int lane = threadIdx.x;
  unsigned all = 0xffffffffu;
  data[lane] = lane; // [A]
  __syncwarp(); // racy: all = __ballot_sync(0xffffffffu, lane >= 0);
  out[lane] = data[(lane + 1) % 32] + (all != 0xffffffffu); // [B]
}

int main() {
  int *data = make<int>("data", 32), *out = make<int>("out", 32);
  rotate<<<1, 32>>>(data, out);
  return differs(out, 32, [](int i) { return (i + 1) % 32; });
}
