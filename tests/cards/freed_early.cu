// The copy of A is freed before the kernel reads it.
// lab: lab1
// first: freed_early.cu:24: use after cudaFree
// first: cudaMalloc at line 31
// first: Free it only when no kernel needs it any more
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
  float *a;
  CHECK(cudaMalloc(&a, sizeof(float) * M * K));
  CHECK(cudaMemcpy(a, A, sizeof(float) * M * K, cudaMemcpyDeviceToDevice));
  CHECK(cudaFree(a));
  product<<<grid, block>>>(a, B, C, M, N, K);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
}
