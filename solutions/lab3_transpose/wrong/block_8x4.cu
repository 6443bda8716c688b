// The right warp, 8 x 4 threads, but one a block: starting the blocks takes longer than the copy.
// verdict: partial
// loses: time
__global__ void copy(const float *in, float *out, int rows, int cols) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < cols) out[column * rows + row] = in[row * cols + column];
}

void transpose(const float *in, float *out, int rows, int cols) {
  dim3 block(8, 4), grid((cols + 7) / 8, (rows + 3) / 4);
  copy<<<grid, block>>>(in, out, rows, cols);
}
