// "As many threads as possible": 8 x 256 are 2048, twice what a block may have.
// verdict: fail
// loses: squares shapes sizes hazards loads stores time
// hazard: launch 14
// reason: 1024
__global__ void copy(const float *in, float *out, int rows, int cols) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < cols) out[column * rows + row] = in[row * cols + column];
}

void transpose(const float *in, float *out, int rows, int cols) {
  dim3 block(8, 256), grid((cols + 7) / 8, (rows + 255) / 256);
  copy<<<grid, block>>>(in, out, rows, cols);
}
