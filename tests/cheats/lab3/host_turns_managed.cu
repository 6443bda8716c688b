// The host turns the matrix inside managed memory.
// most: 0
#include <cuda_runtime.h>
__global__ void copy(const float *from, float *to, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) to[i] = from[i];
}
void transpose(const float *in, float *out, int rows, int cols) {
  int count = rows * cols;
  float *a, *b;
  cudaMallocManaged(&a, count * sizeof(float));
  cudaMallocManaged(&b, count * sizeof(float));
  copy<<<(count + 255) / 256, 256>>>(in, a, count);
  cudaDeviceSynchronize();
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < cols; j++) b[(size_t)j * rows + i] = a[(size_t)i * cols + j];
  copy<<<(count + 255) / 256, 256>>>(b, out, count);
  cudaDeviceSynchronize();
  cudaFree(a);
  cudaFree(b);
}
