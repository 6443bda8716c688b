// Every thread above the diagonal moves two elements; the diagonal belongs to nobody.
// verdict: fail
// loses: squares shapes sizes hazards loads stores time
// reason: never written
__global__ void copy(const float *in, float *out, int rows, int cols) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= column) return;
  if (row < rows && column < cols) out[column * rows + row] = in[row * cols + column];
  if (column < rows && row < cols) out[row * rows + column] = in[column * cols + row];
}

void transpose(const float *in, float *out, int rows, int cols) {
  int most = rows > cols ? rows : cols;
  dim3 block(8, 32), grid((most + 7) / 8, (most + 31) / 32);
  copy<<<grid, block>>>(in, out, rows, cols);
}
