// The tile is dynamic shared memory; the length of its rows is a parameter.
// verdict: pass
#include <cstdio>
constexpr int TILE = 32;

__global__ void through_tile(const float *in, float *out, int rows, int cols, int width) {
  extern __shared__ float tile[];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  for (int j = 0; j < TILE; j += blockDim.y)
    if (row + j < rows && column < cols) tile[(y + j) * width + x] = in[(row + j) * cols + column];
  __syncthreads();
  row = blockIdx.x * TILE + y;
  column = blockIdx.y * TILE + x;
  for (int j = 0; j < TILE; j += blockDim.y)
    if (row + j < cols && column < rows) out[(row + j) * rows + column] = tile[x * width + y + j];
}

static void launch(const float *in, float *out, int rows, int cols, int width) {
  dim3 block(TILE, 8), grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  size_t bytes = sizeof(float) * TILE * width;
  through_tile<<<grid, block, bytes>>>(in, out, rows, cols, width);
  if (cudaError_t error = cudaGetLastError()) fprintf(stderr, "%s\n", cudaGetErrorString(error));
}

void transpose_tiled(const float *in, float *out, int rows, int cols) {
  launch(in, out, rows, cols, 32);
}
void transpose_padded(const float *in, float *out, int rows, int cols) {
  launch(in, out, rows, cols, 33);
}
