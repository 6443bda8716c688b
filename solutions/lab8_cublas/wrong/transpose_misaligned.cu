// float4 in and out by the number of columns alone: rows of out have `rows` floats.
// verdict: partial
// loses: transpose memory
// may-lose: turn_rows turn_banks
// hazard: misaligned
#define OWN_TRANSPOSE
#include "rest.h"

// 64 x 64 elements a block; a thread turns 4 x 4 of them in registers, and tiles have float4 elements.
__global__ void turn_kernel(const float *in, float *out, int rows, int cols) {
  __shared__ float4 tile[64][16];
  int x = threadIdx.x, y = threadIdx.y, top = blockIdx.y * 64, left = blockIdx.x * 64;
  float v[4][4];
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      int row = top + 4 * y + i, column = left + 4 * x + j;
      v[i][j] = row < rows && column < cols ? in[row * cols + column] : 0;
    }
  for (int j = 0; j < 4; j++)
    tile[4 * x + j][y ^ x] = make_float4(v[0][j], v[1][j], v[2][j], v[3][j]);
  __syncthreads();
  for (int j = 0; j < 4; j++) {
    int row = left + 4 * y + j, column = top + 4 * x;
    float4 four = tile[4 * y + j][x ^ y];
    float *to = out + row * rows + column;
    if (row < cols && cols % 4 == 0) {
      if (column < rows) *reinterpret_cast<float4 *>(to) = four;
    } else if (row < cols) {
      if (column < rows) to[0] = four.x;
      if (column + 1 < rows) to[1] = four.y;
      if (column + 2 < rows) to[2] = four.z;
      if (column + 3 < rows) to[3] = four.w;
    }
  }
}

void transpose_best(const float *in, float *out, int rows, int cols) {
  turn_kernel<<<dim3((cols + 63) / 64, (rows + 63) / 64), dim3(16, 16)>>>(in, out, rows, cols);
}
