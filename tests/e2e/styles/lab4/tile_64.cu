// Tiles of 64 x 64, two columns a lane; rows of 64 and of 65.
// verdict: pass
// cases: all
constexpr int TILE = 64;

template <int WIDTH>
__global__ void through_tile(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[TILE][WIDTH];
  for (int y = threadIdx.y; y < TILE; y += blockDim.y)
    for (int x = threadIdx.x; x < TILE; x += 32) {
      int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
      if (row < rows && column < cols) tile[y][x] = in[row * cols + column];
    }
  __syncthreads();
  for (int y = threadIdx.y; y < TILE; y += blockDim.y)
    for (int x = threadIdx.x; x < TILE; x += 32) {
      int row = blockIdx.x * TILE + y, column = blockIdx.y * TILE + x;
      if (row < cols && column < rows) out[row * rows + column] = tile[x][y];
    }
}

void transpose_tiled(const float *in, float *out, int rows, int cols) {
  through_tile<TILE>
      <<<dim3((cols + 63) / 64, (rows + 63) / 64), dim3(32, 16)>>>(in, out, rows, cols);
}

void transpose_padded(const float *in, float *out, int rows, int cols) {
  through_tile<TILE + 1>
      <<<dim3((cols + 63) / 64, (rows + 63) / 64), dim3(32, 16)>>>(in, out, rows, cols);
}
