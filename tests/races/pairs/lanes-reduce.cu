// The last warp of a reduction: each round reads what other lanes have written in the round before.
// rule: lanes
// race: A A shared part
// fix: __syncwarp
#include "pair.h"

__global__ void sum(int *out) {
  __shared__ int part[32];
  int lane = threadIdx.x;
  part[lane] = lane;
  __syncwarp();
  for (int d = 16; d > 0; d /= 2) {
    if (lane < d) part[lane] += part[lane + d]; // [A]
    __syncwarp(); // racy: (nothing)
  }
  if (lane == 0) *out = part[0];
}

int main() {
  int *out = make<int>("out", 1);
  sum<<<1, 32>>>(out);
  return differs(out, 1, [](int) { return 31 * 16; });
}
