// The whole tile is read, but a block loads only BLOCK_Y rows of it.
// lab: lab4
// first: transpose_past_the_tile.cu:18: uninitialised read
// first: fill every element that is read
#include <cuda_runtime.h>

constexpr int TILE = 32, BLOCK_Y = 8;

template <int PAD>
__global__ void transpose(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[TILE][TILE + PAD];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  if (y < rows && x < cols) tile[threadIdx.y][threadIdx.x] = in[y * cols + x];
  __syncthreads();
  int out_x = blockIdx.y * TILE + threadIdx.x, out_y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += BLOCK_Y)
    if (out_y + j < cols && out_x < rows)
      out[(out_y + j) * rows + out_x] = tile[threadIdx.x][threadIdx.y + j];
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
