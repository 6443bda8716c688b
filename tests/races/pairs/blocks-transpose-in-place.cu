// A transpose in place: the tile of one block is the target of another.
// rule: blocks
// race: A B matrix
#include "pair.h"

__global__ void transpose(const int *from, int *to) {
  __shared__ int tile[8][9];
  int x = threadIdx.x, y = threadIdx.y;
  tile[y][x] = from[(blockIdx.y * 8 + y) * 16 + blockIdx.x * 8 + x] + 1; // [A]
  __syncthreads();
  to[(blockIdx.x * 8 + y) * 16 + blockIdx.y * 8 + x] = tile[x][y] + blockIdx.x; // [B]
}

int main() {
  int *matrix = make<int>("matrix", 256), *out = make<int>("out", 256);
  transpose<<<dim3(2, 2), dim3(8, 8)>>>(matrix, out); // racy: transpose<<<dim3(2, 2), dim3(8, 8)>>>(matrix, matrix);
  return differs(out, 256, [](int i) { return 1 + i / 128; });
}
