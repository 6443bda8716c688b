// The grid is rounded down: no thread for the last rows and columns, no block for the smallest.
// verdict: partial
// loses: squares shapes sizes hazards
// hazard: launch 14
// reason: was written only in
__global__ void copy(const float *in, float *out, int rows, int cols) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < cols) out[column * rows + row] = in[row * cols + column];
}

void transpose(const float *in, float *out, int rows, int cols) {
  dim3 block(8, 32), grid(cols / 8, rows / 32);
  copy<<<grid, block>>>(in, out, rows, cols);
}
