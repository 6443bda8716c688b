// The shape depends on the matrix, and the launch is made by cudaLaunchKernel.
// verdict: pass
__global__ void copy(const float *in, float *out, int rows, int cols) {
  auto column = blockIdx.x * blockDim.x + threadIdx.x;
  auto row = blockIdx.y * blockDim.y + threadIdx.y;
  bool mine = row < (unsigned)rows && column < (unsigned)cols;
  if (!mine) return;
  *(out + column * rows + row) = *(in + row * cols + column);
}

void transpose(const float *in, float *out, int rows, int cols) {
  dim3 block = cols >= 8 && rows >= 32 ? dim3(8, 64) : dim3(cols < 8 ? 1 : 8, 8);
  dim3 grid((cols + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
  void *arguments[] = {&in, &out, &rows, &cols};
  cudaLaunchKernel((const void *)copy, grid, block, arguments, 0, nullptr);
}
