// Rows of out are taken to be cols long.
// lab: lab4
// first: out is written as if its rows had 128 elements
// first: out[j][i] is out[j * rows + i]
#include <cuda_runtime.h>

constexpr int TILE = 32, BLOCK_Y = 8;

template <int PAD>
__global__ void transpose(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[TILE][TILE + PAD];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += BLOCK_Y)
    if (y + j < rows && x < cols) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * cols + x];
  __syncthreads();
  int out_x = blockIdx.y * TILE + threadIdx.x, out_y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += BLOCK_Y)
    if (out_y + j < cols && out_x < rows)
      out[(out_y + j) * cols + out_x] = tile[threadIdx.x][threadIdx.y + j];
}

void transpose_tiled(const float *in, float *out, int rows, int cols) {
  dim3 block(TILE, BLOCK_Y);
  dim3 grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose<0><<<grid, block>>>(in, out, rows, cols);
}

void transpose_padded(const float *in, float *out, int rows, int cols) {
  dim3 block(TILE, BLOCK_Y);
  dim3 grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  transpose<1><<<grid, block>>>(in, out, rows, cols);
}
