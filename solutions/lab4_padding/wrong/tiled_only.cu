// Only the first half of the lab is done: transpose_padded is still empty.
// verdict: partial
// loses: pad_small pad_any pad_global pad_banks pad_time
// reason: out was not written
#define TILE 32

__global__ void tiled(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[TILE][TILE];
  int i = blockIdx.y * TILE + threadIdx.y;
  int j = blockIdx.x * TILE + threadIdx.x;
  if (i < rows && j < cols) tile[threadIdx.y][threadIdx.x] = in[i * cols + j];
  __syncthreads();
  i = blockIdx.x * TILE + threadIdx.y;
  j = blockIdx.y * TILE + threadIdx.x;
  if (i < cols && j < rows) out[i * rows + j] = tile[threadIdx.x][threadIdx.y];
}

__global__ void padded(const float *in, float *out, int rows, int cols) {
  (void)in, (void)out, (void)rows, (void)cols;
}

void transpose_tiled(const float *in, float *out, int rows, int cols) {
  dim3 block(TILE, TILE), grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  tiled<<<grid, block>>>(in, out, rows, cols);
}

void transpose_padded(const float *in, float *out, int rows, int cols) {
  dim3 block(TILE, TILE), grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  padded<<<grid, block>>>(in, out, rows, cols);
}
