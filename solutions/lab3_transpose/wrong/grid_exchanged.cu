// The grid covers rows along x and columns along y: enough for squares only.
// verdict: partial
// loses: shapes sizes stores time
// reason: was written only in
__global__ void copy(const float *in, float *out, int rows, int cols) {
  int column = blockIdx.x * 16 + threadIdx.x;
  int row = blockIdx.y * 16 + threadIdx.y;
  if (row < rows && column < cols) out[column * rows + row] = in[row * cols + column];
}

void transpose(const float *in, float *out, int rows, int cols) {
  dim3 block(16, 16);
  dim3 grid((rows + 15) / 16, (cols + 15) / 16);
  copy<<<grid, block>>>(in, out, rows, cols);
}
