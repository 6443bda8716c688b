// Rows of 32 floats: a column of the tile lies in one bank.
// verdict: partial
// loses: turn_banks
// may-lose: turn_time
#define OWN_TRANSPOSE
#include "rest.h"

// A tile of 32 x 32 is read by rows of in and written by rows of out, four elements a thread.
__global__ void turn_kernel(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[32][32];
  int x = threadIdx.x, y = threadIdx.y, left = blockIdx.x * 32, top = blockIdx.y * 32;
#pragma unroll
  for (int j = y; j < 32; j += 8)
    if (top + j < rows && left + x < cols) tile[j][x] = in[(top + j) * cols + left + x];
  __syncthreads();
#pragma unroll
  for (int j = y; j < 32; j += 8)
    if (left + j < cols && top + x < rows) out[(left + j) * rows + top + x] = tile[x][j];
}

void transpose_best(const float *in, float *out, int rows, int cols) {
  turn_kernel<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(in, out, rows, cols);
}
