// A one-dimensional tile, written with rows of 33 and read with rows of 32.
// verdict: partial
// loses: pad_small pad_any pad_global pad_banks pad_time
// may-lose: memory
constexpr int TILE = 32;

__global__ void tiled(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[TILE * TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  if (row < rows && column < cols) tile[y * TILE + x] = in[row * cols + column];
  __syncthreads();
  row = blockIdx.x * TILE + y, column = blockIdx.y * TILE + x;
  if (row < cols && column < rows) out[row * rows + column] = tile[x * TILE + y];
}

__global__ void padded(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[TILE * (TILE + 1)];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  if (row < rows && column < cols) tile[y * (TILE + 1) + x] = in[row * cols + column];
  __syncthreads();
  row = blockIdx.x * TILE + y, column = blockIdx.y * TILE + x;
  if (row < cols && column < rows) out[row * rows + column] = tile[x * TILE + y];
}

void transpose_tiled(const float *in, float *out, int rows, int cols) {
  dim3 block(TILE, TILE), grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  tiled<<<grid, block>>>(in, out, rows, cols);
}

void transpose_padded(const float *in, float *out, int rows, int cols) {
  dim3 block(TILE, TILE), grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  padded<<<grid, block>>>(in, out, rows, cols);
}
