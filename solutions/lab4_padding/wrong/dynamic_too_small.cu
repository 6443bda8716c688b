// Dynamic shared memory for 32 x 32 floats in both launches: the padded tile needs 31 floats more.
// verdict: partial
// loses: pad_small pad_any memory pad_global pad_banks pad_time
// hazard: oob
// reason: shared
constexpr int TILE = 32;
constexpr size_t BYTES = TILE * TILE * sizeof(float);

__global__ void through_tile(const float *in, float *out, int rows, int cols, int width) {
  extern __shared__ float tile[];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  if (row < rows && column < cols) tile[y * width + x] = in[row * cols + column];
  __syncthreads();
  row = blockIdx.x * TILE + y, column = blockIdx.y * TILE + x;
  if (row < cols && column < rows) out[row * rows + column] = tile[x * width + y];
}

void transpose_tiled(const float *in, float *out, int rows, int cols) {
  dim3 block(TILE, TILE), grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  through_tile<<<grid, block, BYTES>>>(in, out, rows, cols, TILE);
}

void transpose_padded(const float *in, float *out, int rows, int cols) {
  dim3 block(TILE, TILE), grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  through_tile<<<grid, block, BYTES>>>(in, out, rows, cols, TILE + 1);
}
