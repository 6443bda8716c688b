// Half of a warp writes in one branch, the other half reads in the next.
// rule: lanes
// race: A B shared tile
// fix: __syncwarp
#include "pair.h"

__global__ void hand_over(int *out) {
  __shared__ int tile[16];
  int lane = threadIdx.x;
  if (lane < 16) tile[lane] = lane; // [A]
  __syncwarp(); // racy: (nothing)
  if (lane >= 16) out[lane - 16] = tile[lane - 16]; // [B]
}

int main() {
  int *out = make<int>("out", 16);
  hand_over<<<1, 32>>>(out);
  return differs(out, 16, [](int i) { return i; });
}
