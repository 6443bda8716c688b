// Lab 3 again, twice: nothing in shared memory.
// verdict: partial
// loses: tiled_global tiled_banks pad_global pad_banks barrier
// may-lose: pad_time
__global__ void copy(const float *in, float *out, int rows, int cols) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && column < cols) out[column * rows + row] = in[row * cols + column];
}

void transpose_tiled(const float *in, float *out, int rows, int cols) {
  dim3 block(8, 32), grid((cols + 7) / 8, (rows + 31) / 32);
  copy<<<grid, block>>>(in, out, rows, cols);
}

void transpose_padded(const float *in, float *out, int rows, int cols) {
  dim3 block(8, 32), grid((cols + 7) / 8, (rows + 31) / 32);
  copy<<<grid, block>>>(in, out, rows, cols);
}
