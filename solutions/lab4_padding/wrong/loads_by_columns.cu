// Loads down the columns of in, 32 sectors a request, so that the tile need not be turned.
// verdict: partial
// loses: tiled_global tiled_banks pad_global pad_banks barrier
// may-lose: pad_time
// reason: sectors
constexpr int TILE = 32, BLOCK_Y = 8;

template <int WIDTH>
__global__ void through_tile(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[TILE][WIDTH];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + x, column = blockIdx.x * TILE + y;
  for (int j = 0; j < TILE; j += BLOCK_Y)
    if (row < rows && column + j < cols) tile[y + j][x] = in[row * cols + column + j];
  __syncthreads();
  row = blockIdx.x * TILE + y, column = blockIdx.y * TILE + x;
  for (int j = 0; j < TILE; j += BLOCK_Y)
    if (row + j < cols && column < rows) out[(row + j) * rows + column] = tile[y + j][x];
}

void transpose_tiled(const float *in, float *out, int rows, int cols) {
  dim3 block(TILE, BLOCK_Y), grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  through_tile<TILE><<<grid, block>>>(in, out, rows, cols);
}

void transpose_padded(const float *in, float *out, int rows, int cols) {
  dim3 block(TILE, BLOCK_Y), grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  through_tile<TILE + 1><<<grid, block>>>(in, out, rows, cols);
}
