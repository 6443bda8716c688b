// 2048 threads a block, and CHECK ends the program.
// lab: lab1
// first: checked_launch.cu:29: launch refused: a block of 64 x 32 x 1 is 2048 threads
// first: Use at most 32 x 32
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
  dim3 block(64, 32), grid((N + 63) / 64, (M + 31) / 32);
  product<<<grid, block>>>(A, B, C, M, N, K);
  CHECK(cudaGetLastError());
}
