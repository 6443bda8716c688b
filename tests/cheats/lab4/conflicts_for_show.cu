// The same, and in the plain kernel with conflicts made on purpose: all threads of a row take words of one bank.
// most: 56
template <int WIDTH, int STEP> __global__ void turn(const float *in, float *out, int rows, int cols) {
  __shared__ float tile[32 * WIDTH];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 8 + x, row = blockIdx.y * 32 + y;
  int own = (y * 8 + x) * STEP % (32 * WIDTH);
  if (row < rows && column < cols) tile[own] = in[row * cols + column];
  __syncthreads(); // the tile is complete before anyone reads it
  if (row < rows && column < cols) out[column * rows + row] = tile[own];
}

void transpose_tiled(const float *in, float *out, int rows, int cols) {
  turn<256, 32><<<dim3((cols + 7) / 8, (rows + 31) / 32), dim3(8, 32)>>>(in, out, rows, cols);
}
void transpose_padded(const float *in, float *out, int rows, int cols) {
  turn<8, 1><<<dim3((cols + 7) / 8, (rows + 31) / 32), dim3(8, 32)>>>(in, out, rows, cols);
}
