// Loads four floats at a time where rows are aligned; the tile is written a float at a time.
// verdict: pass
constexpr int TILE = 32;

template <int WIDTH>
__global__ void through_tile(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[TILE][WIDTH];
  int t = threadIdx.y * blockDim.x + threadIdx.x; /* 256 threads, 8 x 4 floats a row */
  int y = t / 8, x = t % 8 * 4;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  if (row < rows) {
    const float *from = in + row * cols + column;
    if (cols % 4 == 0 && column < cols) {
      float4 four = *(const float4 *)from;
      tile[x][y] = four.x, tile[x + 1][y] = four.y, tile[x + 2][y] = four.z,
      tile[x + 3][y] = four.w;
    } else {
      for (int i = 0; i < 4; i++)
        if (column + i < cols) tile[x + i][y] = from[i];
    }
  }
  __syncthreads();
  for (int j = threadIdx.y; j < TILE; j += blockDim.y) {
    int to_row = blockIdx.x * TILE + j, to_column = blockIdx.y * TILE + threadIdx.x;
    if (to_row < cols && to_column < rows) out[to_row * rows + to_column] = tile[j][threadIdx.x];
  }
}

template <int WIDTH>
static void launch(const float *in, float *out, int rows, int cols) {
  through_tile<WIDTH>
      <<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(in, out, rows, cols);
}
void transpose_tiled(const float *in, float *out, int rows, int cols) {
  launch<32>(in, out, rows, cols);
}
void transpose_padded(const float *in, float *out, int rows, int cols) {
  launch<33>(in, out, rows, cols);
}
