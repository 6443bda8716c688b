// A block moves two tiles in turn, and loads the second while others still read the first.
// verdict: partial
// loses: barrier
// may-lose: tiled_small tiled_any pad_small pad_any memory tiled_global tiled_banks pad_global pad_banks pad_time
// hazard: race
// reason: __syncthreads
constexpr int TILE = 32;

template <int WIDTH>
__global__ void two_tiles(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[TILE][WIDTH];
  int x = threadIdx.x, y = threadIdx.y;
  for (int k = 2 * blockIdx.x; k < 2 * blockIdx.x + 2; k++) {
    int row = blockIdx.y * TILE + y, column = k * TILE + x;
    if (row < rows && column < cols) tile[y][x] = in[row * cols + column];
    __syncthreads();
    row = k * TILE + y, column = blockIdx.y * TILE + x;
    if (row < cols && column < rows) out[row * rows + column] = tile[x][y];
  }
}

void transpose_tiled(const float *in, float *out, int rows, int cols) {
  two_tiles<TILE>
      <<<dim3((cols + 63) / 64, (rows + 31) / 32), dim3(TILE, TILE)>>>(in, out, rows, cols);
}

void transpose_padded(const float *in, float *out, int rows, int cols) {
  two_tiles<TILE + 1>
      <<<dim3((cols + 63) / 64, (rows + 31) / 32), dim3(TILE, TILE)>>>(in, out, rows, cols);
}
