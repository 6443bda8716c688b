// A thread takes four neighbouring rows; the compiler reads the unpadded column 128 bits at a time.
// verdict: pass
constexpr int TILE = 32;

template <int WIDTH>
__global__ void through_tile(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[TILE][WIDTH];
  int x = threadIdx.x, y = 4 * threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  for (int j = 0; j < 4; j++)
    if (row + j < rows && column < cols) tile[y + j][x] = in[(row + j) * cols + column];
  __syncthreads();
  row = blockIdx.x * TILE + y, column = blockIdx.y * TILE + x;
  if (column >= rows) return;
  if (row + 3 < cols) {
    float mine[4];
    for (int j = 0; j < 4; j++) mine[j] = tile[x][y + j];
    for (int j = 0; j < 4; j++) out[(row + j) * rows + column] = mine[j];
  } else {
    for (int j = 0; row + j < cols; j++) out[(row + j) * rows + column] = tile[x][y + j];
  }
}

void transpose_tiled(const float *in, float *out, int rows, int cols) {
  through_tile<TILE>
      <<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(in, out, rows, cols);
}

void transpose_padded(const float *in, float *out, int rows, int cols) {
  through_tile<TILE + 1>
      <<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 8)>>>(in, out, rows, cols);
}
