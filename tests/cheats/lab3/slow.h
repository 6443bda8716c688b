// The transpose that the cheats of this folder are about: blocks of 32 x 32, whose stores touch 32
// sectors a warp. It deserves
// 67 points: all but those for stores and for time.
__global__ void slow_kernel(const float *in, float *out, int rows, int cols) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < rows && column < cols) out[column * rows + row] = in[row * cols + column];
}

static void slow(const float *in, float *out, int rows, int cols, cudaStream_t stream = 0) {
  slow_kernel<<<dim3((cols + 31) / 32, (rows + 31) / 32), dim3(32, 32), 0, stream>>>(in, out, rows, cols);
}
