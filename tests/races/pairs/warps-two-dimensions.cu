// A block of 8 x 8 threads is two warps, though its rows are short: __syncwarp is not enough.
// rule: warps
// race: A B shared tile
// fix: __syncthreads
#include "pair.h"

__global__ void transpose(int *out) {
  __shared__ int tile[8][8];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = y * 8 + x; // [A]
  __syncthreads(); // racy: __syncwarp();
  out[y * 8 + x] = tile[x][y]; // [B]
}

int main() {
  int *out = make<int>("out", 64);
  transpose<<<1, dim3(8, 8)>>>(out);
  return differs(out, 64, [](int i) { return i % 8 * 8 + i / 8; });
}
