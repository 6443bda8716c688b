// The tile is written by columns and read by rows: the conflicts are on the shared stores.
// verdict: pass
constexpr int TILE = 32, ROWS = 4;

template <int PAD>
__global__ void through_tile(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[TILE][TILE + PAD];
  int x = threadIdx.x, y = threadIdx.y;
  int left = blockIdx.x * TILE, top = blockIdx.y * TILE;
#pragma unroll
  for (int j = y; j < TILE; j += ROWS)
    if (top + j < rows && left + x < cols) tile[x][j] = in[(top + j) * cols + left + x];
  __syncthreads();
#pragma unroll
  for (int j = y; j < TILE; j += ROWS)
    if (left + j < cols && top + x < rows) out[(left + j) * rows + top + x] = tile[j][x];
}

void transpose_tiled(const float *in, float *out, int rows, int cols) {
  through_tile<0>
      <<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(TILE, ROWS)>>>(in, out, rows, cols);
}

void transpose_padded(const float *in, float *out, int rows, int cols) {
  through_tile<1>
      <<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(TILE, ROWS)>>>(in, out, rows, cols);
}
