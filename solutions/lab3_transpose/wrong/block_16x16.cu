// Square blocks of 256: a warp is 16 x 2 threads, which load 4 sectors and store 16.
// verdict: partial
// loses: stores time
// reason: sectors
__global__ void copy(const float *in, float *out, int rows, int cols) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < cols) out[column * rows + row] = in[row * cols + column];
}

void transpose(const float *in, float *out, int rows, int cols) {
  dim3 block(16, 16), grid((cols + 15) / 16, (rows + 15) / 16);
  copy<<<grid, block>>>(in, out, rows, cols);
}
