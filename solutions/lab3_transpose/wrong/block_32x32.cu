// The obvious shape: a warp is 32 x 1 threads, which load 4 sectors and store 32.
// verdict: partial
// loses: stores time
// reason: sectors
__global__ void copy(const float *in, float *out, int rows, int cols) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < cols) out[column * rows + row] = in[row * cols + column];
}

void transpose(const float *in, float *out, int rows, int cols) {
  dim3 block(32, 32), grid((cols + 31) / 32, (rows + 31) / 32);
  copy<<<grid, block>>>(in, out, rows, cols);
}
