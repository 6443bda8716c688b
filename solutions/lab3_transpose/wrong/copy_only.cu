// Copies each element to where it was: what has one row or one column is right, nothing else.
// verdict: partial
// loses: squares shapes sizes loads stores time
__global__ void copy(const float *in, float *out, int rows, int cols) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < cols) out[row * cols + column] = in[row * cols + column];
}

void transpose(const float *in, float *out, int rows, int cols) {
  dim3 block(8, 32), grid((cols + 7) / 8, (rows + 31) / 32);
  copy<<<grid, block>>>(in, out, rows, cols);
}
