// x runs down the columns of in, in blocks of 32 x 32: a warp stores 4 sectors and loads 32.
// verdict: partial
// loses: loads
// may-lose: time
// reason: sectors
__global__ void copy(const float *in, float *out, int rows, int cols) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < cols) out[column * rows + row] = in[row * cols + column];
}

void transpose(const float *in, float *out, int rows, int cols) {
  dim3 block(32, 32), grid((rows + 31) / 32, (cols + 31) / 32);
  copy<<<grid, block>>>(in, out, rows, cols);
}
