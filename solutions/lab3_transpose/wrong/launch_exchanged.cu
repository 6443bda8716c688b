// <<<block, grid>>>: as many threads in all, until the grid has more than a block may have.
// verdict: partial
// loses: sizes hazards loads stores time
// hazard: launch 15
// cases: all
// reason: 1024
__global__ void copy(const float *in, float *out, int rows, int cols) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < cols) out[column * rows + row] = in[row * cols + column];
}
void transpose(const float *in, float *out, int rows, int cols) {
  dim3 block(8, 32);
  dim3 grid((cols + 7) / 8, (rows + 31) / 32);
  copy<<<block, grid>>>(in, out, rows, cols);
}
