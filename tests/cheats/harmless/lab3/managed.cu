// Works in managed memory, as a first program does, with a host loop that moves rows in and out.
// least: 60
#include <cuda_runtime.h>
#include <cstring>
#include <vector>
__global__ void turn(const float *in, float *out, int rows, int cols) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && column < cols) out[column * rows + row] = in[row * cols + column];
}
void transpose(const float *in, float *out, int rows, int cols) {
  size_t bytes = (size_t)rows * cols * sizeof(float);
  std::vector<char> host(bytes);
  float *a, *b;
  cudaMallocManaged(&a, bytes);
  cudaMallocManaged(&b, bytes);
  cudaMemcpy(host.data(), in, bytes, cudaMemcpyDeviceToHost);
  memcpy(a, host.data(), bytes);
  turn<<<dim3((cols + 7) / 8, (rows + 31) / 32), dim3(8, 32)>>>(a, b, rows, cols);
  cudaDeviceSynchronize();
  memcpy(host.data(), b, bytes);
  cudaMemcpy(out, host.data(), bytes, cudaMemcpyHostToDevice);
  cudaFree(a);
  cudaFree(b);
}
