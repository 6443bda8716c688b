// Copies through the host: pinned memory, cudaMemcpy2D into a padded layout, asynchronous copies back.
#include <cuda_runtime.h>
#include <cstring>

__global__ void product(const float *A, const float *B, size_t pitch, float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; k++) {
    const float *line = (const float *)((const char *)B + k * pitch);
    sum += A[row * K + k] * line[column];
  }
  C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  float *padded, *host;
  size_t pitch;
  cudaMallocPitch(&padded, &pitch, N * sizeof(float), K);
  cudaMallocHost(&host, (size_t)K * N * sizeof(float));
  cudaMemcpy(host, B, (size_t)K * N * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy2D(padded, pitch, host, N * sizeof(float), N * sizeof(float), K, cudaMemcpyHostToDevice);
  product<<<dim3((N + 31) / 32, (M + 3) / 4), dim3(32, 4)>>>(A, padded, pitch, C, M, N, K);
  cudaMemcpyAsync(host, B, sizeof(float), cudaMemcpyDefault);
  cudaFreeHost(host);
  cudaFree(padded);
}
