// As many blocks as the multiprocessors hold; each walks over tiles, with a second barrier a round.
// verdict: pass
constexpr int TILE = 32, ROWS = 8;

template <int PAD>
__global__ void through_tiles(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[TILE][TILE + PAD];
  int x = threadIdx.x, y = threadIdx.y;
  int across = (cols + TILE - 1) / TILE, down = (rows + TILE - 1) / TILE;
  for (int t = blockIdx.x; t < across * down; t += gridDim.x) {
    int row = t / across * TILE, column = t % across * TILE;
    for (int j = y; j < TILE; j += ROWS)
      if (row + j < rows && column + x < cols) tile[j][x] = in[(row + j) * cols + column + x];
    __syncthreads();
    for (int j = y; j < TILE; j += ROWS)
      if (column + j < cols && row + x < rows) out[(column + j) * rows + row + x] = tile[x][j];
    __syncthreads();
  }
}

void transpose_tiled(const float *in, float *out, int rows, int cols) {
  through_tiles<0><<<4 * 132, dim3(TILE, ROWS)>>>(in, out, rows, cols);
}

void transpose_padded(const float *in, float *out, int rows, int cols) {
  through_tiles<1><<<4 * 132, dim3(TILE, ROWS)>>>(in, out, rows, cols);
}
