// __syncwarp instead of __syncthreads: a column comes from all warps of the block.
// verdict: partial
// loses: barrier
// may-lose: tiled_small tiled_any pad_small pad_any memory tiled_global tiled_banks pad_global pad_banks pad_time
// hazard: race 13 17
// reason: __syncthreads
#define TILE 32

__global__ void tiled(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[TILE][TILE];
  int i = blockIdx.y * TILE + threadIdx.y;
  int j = blockIdx.x * TILE + threadIdx.x;
  if (i < rows && j < cols) tile[threadIdx.y][threadIdx.x] = in[i * cols + j];
  __syncwarp();
  i = blockIdx.x * TILE + threadIdx.y;
  j = blockIdx.y * TILE + threadIdx.x;
  if (i < cols && j < rows) out[i * rows + j] = tile[threadIdx.x][threadIdx.y];
}

__global__ void padded(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[TILE][TILE + 1];
  int i = blockIdx.y * TILE + threadIdx.y;
  int j = blockIdx.x * TILE + threadIdx.x;
  if (i < rows && j < cols) tile[threadIdx.y][threadIdx.x] = in[i * cols + j];
  __syncwarp();
  i = blockIdx.x * TILE + threadIdx.y;
  j = blockIdx.y * TILE + threadIdx.x;
  if (i < cols && j < rows) out[i * rows + j] = tile[threadIdx.x][threadIdx.y];
}

void transpose_tiled(const float *in, float *out, int rows, int cols) {
  dim3 block(TILE, TILE), grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  tiled<<<grid, block>>>(in, out, rows, cols);
}

void transpose_padded(const float *in, float *out, int rows, int cols) {
  dim3 block(TILE, TILE), grid((cols + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
  padded<<<grid, block>>>(in, out, rows, cols);
}
