// The copy to the device names the other direction.
// lab: lab1
// first: wrong_direction.cu:32: CUDA call that failed: cudaMemcpy returned cudaErrorInvalidValue
// first: These two pointers are for cudaMemcpyHostToDevice
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                       \
  do {                                                    \
    cudaError_t error = (call);                           \
    if (error != cudaSuccess) {                           \
      fprintf(stderr, "%s\n", cudaGetErrorString(error)); \
      exit(EXIT_FAILURE);                                 \
    }                                                     \
  } while (0)

__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0.0f;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(16, 16), grid((N + 15) / 16, (M + 15) / 16);
  float *host = (float *)malloc(sizeof(float) * M * K), *a;
  CHECK(cudaMemcpy(host, A, sizeof(float) * M * K, cudaMemcpyDeviceToHost));
  CHECK(cudaMalloc(&a, sizeof(float) * M * K));
  CHECK(cudaMemcpy(a, host, sizeof(float) * M * K, cudaMemcpyDeviceToHost));
  product<<<grid, block>>>(a, B, C, M, N, K);
  CHECK(cudaGetLastError());
  CHECK(cudaFree(a));
  free(host);
}
