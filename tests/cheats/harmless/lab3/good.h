// A transpose with blocks of 8 x 32, which deserves full marks.
__global__ void good_kernel(const float *in, float *out, int rows, int cols) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < cols) out[column * rows + row] = in[row * cols + column];
}

static void good(const float *in, float *out, int rows, int cols, cudaStream_t stream = 0) {
  good_kernel<<<dim3((cols + 7) / 8, (rows + 31) / 32), dim3(8, 32), 0, stream>>>(in, out, rows, cols);
}
