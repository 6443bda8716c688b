// Compares the row with cols and the column with rows: right for squares only.
// verdict: partial
// loses: shapes sizes hazards
// hazard: oob 8
__global__ void copy(const float *in, float *out, int rows, int cols) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < cols && column < rows) out[column * rows + row] = in[row * cols + column];
}

void transpose(const float *in, float *out, int rows, int cols) {
  dim3 block(8, 32), grid((cols + 7) / 8, (rows + 31) / 32);
  copy<<<grid, block>>>(in, out, rows, cols);
}
