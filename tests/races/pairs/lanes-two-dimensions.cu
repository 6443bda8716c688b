// In a block of 8 x 4 threads all are lanes of one warp, whatever their row: __syncwarp is enough.
// rule: lanes
// race: A B shared tile
// fix: __syncwarp
#include "pair.h"

__global__ void transpose(int *out) {
  __shared__ int tile[4][8];
  int x = threadIdx.x, y = threadIdx.y, i = y * 8 + x;
  tile[y][x] = i; // [A]
  __syncwarp(); // racy: (nothing)
  out[i] = tile[i % 4][i / 4]; // [B]
}

int main() {
  int *out = make<int>("out", 32);
  transpose<<<1, dim3(8, 4)>>>(out);
  return differs(out, 32, [](int i) { return i % 4 * 8 + i / 4; });
}
