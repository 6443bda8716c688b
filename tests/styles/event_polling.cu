// The host polls the event behind the kernel instead of waiting for it, and reads the time then. What the last poll left
// in cudaGetLastError is no failure.
#include <cuda_runtime.h>

__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && column < N) {
    float sum = 0;
    for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
  }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  cudaEvent_t start, stop;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  product<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C, M, N, K);
  cudaEventRecord(stop);
  float milliseconds = -1;
  int polls = 0;
  for (; cudaEventQuery(stop) == cudaErrorNotReady; polls++) continue;
  if (polls == 0 || cudaEventElapsedTime(&milliseconds, start, stop) != cudaSuccess || !(milliseconds > 0))
    cudaMemset(C, 0, sizeof(float) * M * N); // which is then wrong
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
}
