// The shape that won on GPUs with transactions of 128 bytes: a warp loads 16 sectors.
// verdict: partial
// loses: loads time
// reason: sectors
__global__ void copy(const float *in, float *out, int rows, int cols) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < cols) out[column * rows + row] = in[row * cols + column];
}

void transpose(const float *in, float *out, int rows, int cols) {
  dim3 block(2, 32), grid((cols + 1) / 2, (rows + 31) / 32);
  copy<<<grid, block>>>(in, out, rows, cols);
}
