// Blocks of 8 x 8: the right sectors, but more blocks than the device starts in that time.
// verdict: partial
// loses: time
__global__ void copy(const float *in, float *out, int rows, int cols) {
  int column = blockIdx.x * 8 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  if (row < rows && column < cols) out[column * rows + row] = in[row * cols + column];
}

void transpose(const float *in, float *out, int rows, int cols) {
  copy<<<dim3((cols + 7) / 8, (rows + 7) / 8), dim3(8, 8)>>>(in, out, rows, cols);
}
