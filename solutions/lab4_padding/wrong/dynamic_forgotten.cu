// The tile is dynamic shared memory, but the launches do not ask for any.
// verdict: fail
// loses: tiled_small tiled_any pad_small pad_any barrier memory tiled_global tiled_banks pad_global pad_banks pad_time
// hazard: oob 11
constexpr int TILE = 32;

__global__ void through_tile(const float *in, float *out, int rows, int cols, int width) {
  extern __shared__ float tile[];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  if (row < rows && column < cols) tile[y * width + x] = in[row * cols + column];
  __syncthreads();
  row = blockIdx.x * TILE + y, column = blockIdx.y * TILE + x;
  if (row < cols && column < rows) out[row * rows + column] = tile[x * width + y];
}

void transpose_tiled(const float *in, float *out, int rows, int cols) {
  dim3 block(TILE, TILE), grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  through_tile<<<grid, block>>>(in, out, rows, cols, TILE);
}

void transpose_padded(const float *in, float *out, int rows, int cols) {
  dim3 block(TILE, TILE), grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  through_tile<<<grid, block>>>(in, out, rows, cols, TILE + 1);
}
