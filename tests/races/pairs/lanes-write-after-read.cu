// A lane overwrites an element that another lane may not have read yet.
// rule: lanes
// race: A B shared tile
// fix: __syncwarp
#include "pair.h"

__global__ void shift(int *out) {
  __shared__ int tile[33];
  int lane = threadIdx.x;
  tile[lane] = lane;
  if (lane == 0) tile[32] = 0;
  __syncwarp();
  int next = tile[lane + 1]; // [A]
  __syncwarp(); // racy: (nothing)
  tile[lane] = next + 100; // [B]
  __syncwarp();
  out[lane] = tile[31 - lane];
}

int main() {
  int *out = make<int>("out", 32);
  shift<<<1, 32>>>(out);
  return differs(out, 32, [](int i) { return i == 0 ? 100 : 132 - i; });
}
