// The rows of out are taken to be cols long: right for squares only.
// verdict: partial
// loses: shapes sizes hazards
// hazard: oob 8
__global__ void copy(const float *in, float *out, int rows, int cols) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < cols) out[column * cols + row] = in[row * cols + column];
}

void transpose(const float *in, float *out, int rows, int cols) {
  dim3 block(8, 32), grid((cols + 7) / 8, (rows + 31) / 32);
  copy<<<grid, block>>>(in, out, rows, cols);
}
