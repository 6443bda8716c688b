// The input goes into a pitched array first, and the result comes out of one, row by row.
// least: 70
#include <cuda_runtime.h>
__global__ void turn(const float *in, size_t in_pitch, float *out, size_t out_pitch, int rows, int cols) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && column < cols) out[column * out_pitch + row] = in[row * in_pitch + column];
}
void transpose(const float *in, float *out, int rows, int cols) {
  float *a, *b;
  size_t a_pitch, b_pitch;
  cudaMallocPitch(&a, &a_pitch, cols * sizeof(float), rows);
  cudaMallocPitch(&b, &b_pitch, rows * sizeof(float), cols);
  cudaMemcpy2D(a, a_pitch, in, cols * sizeof(float), cols * sizeof(float), rows, cudaMemcpyDeviceToDevice);
  turn<<<dim3((cols + 7) / 8, (rows + 31) / 32), dim3(8, 32)>>>(a, a_pitch / 4, b, b_pitch / 4, rows, cols);
  cudaMemcpy2D(out, rows * sizeof(float), b, b_pitch, rows * sizeof(float), cols, cudaMemcpyDeviceToDevice);
  cudaFree(a);
  cudaFree(b);
}
