// The grid covers rows along x and columns along y: enough for squares only.
// verdict: partial
// loses: tiled_any pad_any
// reason: was written only in
constexpr int TILE = 32, BLOCK_Y = 8;

template <int WIDTH>
__global__ void through_tile(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[TILE][WIDTH];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  for (int j = 0; j < TILE; j += BLOCK_Y)
    if (row + j < rows && column < cols) tile[y + j][x] = in[(row + j) * cols + column];
  __syncthreads();
  row = blockIdx.x * TILE + y, column = blockIdx.y * TILE + x;
  for (int j = 0; j < TILE; j += BLOCK_Y)
    if (row + j < cols && column < rows) out[(row + j) * rows + column] = tile[x][y + j];
}

void transpose_tiled(const float *in, float *out, int rows, int cols) {
  dim3 block(TILE, BLOCK_Y), grid((rows + TILE - 1) / TILE, (cols + TILE - 1) / TILE);
  through_tile<TILE><<<grid, block>>>(in, out, rows, cols);
}

void transpose_padded(const float *in, float *out, int rows, int cols) {
  dim3 block(TILE, BLOCK_Y), grid((rows + TILE - 1) / TILE, (cols + TILE - 1) / TILE);
  through_tile<TILE + 1><<<grid, block>>>(in, out, rows, cols);
}
