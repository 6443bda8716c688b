// A vote brings the lanes together; it does not order what they have stored.
// rule: lanes
// race: A B shared tile
// fix: __syncwarp
#include "pair.h"

__global__ void rotate(int *out, int limit) {
  __shared__ int tile[32];
  int lane = threadIdx.x;
  tile[lane] = lane; // [A]
  __syncwarp(); // racy: if (!__any_sync(0xffffffffu, lane < limit)) return;
  out[lane] = tile[(lane + 1) % 32]; // [B]
}

int main() {
  int *out = make<int>("out", 32);
  rotate<<<1, 32>>>(out, 40);
  return differs(out, 32, [](int i) { return (i + 1) % 32; });
}
