// A square is copied first and then turned in place: its diagonal is never touched by the kernel.
// least: 68
#include "good.h"
__global__ void swap_halves(float *a, int n) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= row) return;
  float t = a[row * n + column];
  a[row * n + column] = a[column * n + row];
  a[column * n + row] = t;
}
void transpose(const float *in, float *out, int rows, int cols) {
  if (rows != cols || rows == 1) {
    good(in, out, rows, cols, 0);
    return;
  }
  cudaMemcpy(out, in, (size_t)rows * cols * sizeof(float), cudaMemcpyDeviceToDevice);
  swap_halves<<<dim3((cols + 7) / 8, (rows + 31) / 32), dim3(8, 32)>>>(out, rows);
}
