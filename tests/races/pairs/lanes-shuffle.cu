// A shuffle exchanges registers; it does not order what the lanes have stored.
// rule: lanes
// race: A B shared tile
// fix: __syncwarp
#include "pair.h"

__global__ void rotate(int *out) {
  __shared__ int tile[32];
  int lane = threadIdx.x;
  tile[lane] = lane; // [A]
  __syncwarp(); // racy: lane = __shfl_sync(0xffffffffu, lane, lane);
  out[lane] = tile[(lane + 1) % 32]; // [B]
}

int main() {
  int *out = make<int>("out", 32);
  rotate<<<1, 32>>>(out);
  return differs(out, 32, [](int i) { return (i + 1) % 32; });
}
