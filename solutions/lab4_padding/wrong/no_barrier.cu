// No barrier between loading the tile and reading its columns.
// verdict: partial
// loses: barrier
// may-lose: tiled_small tiled_any pad_small pad_any memory tiled_global tiled_banks pad_global pad_banks pad_time
// hazard: race 15 18
// reason: __syncthreads
constexpr int TILE = 32, BLOCK_Y = 8;

template <int WIDTH>
__global__ void through_tile(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[TILE][WIDTH];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  for (int j = 0; j < TILE; j += BLOCK_Y)
    if (row + j < rows && column < cols) tile[y + j][x] = in[(row + j) * cols + column];
  row = blockIdx.x * TILE + y, column = blockIdx.y * TILE + x;
  for (int j = 0; j < TILE; j += BLOCK_Y)
    if (row + j < cols && column < rows) out[(row + j) * rows + column] = tile[x][y + j];
}

void transpose_tiled(const float *in, float *out, int rows, int cols) {
  dim3 block(TILE, BLOCK_Y), grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  through_tile<TILE><<<grid, block>>>(in, out, rows, cols);
}

void transpose_padded(const float *in, float *out, int rows, int cols) {
  dim3 block(TILE, BLOCK_Y), grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  through_tile<TILE + 1><<<grid, block>>>(in, out, rows, cols);
}
