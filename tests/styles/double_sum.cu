// Accumulates in double; mixed arithmetic, casts, a cuda error-check macro with file and line.
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>

#define CHECK(call)                                                                                  \
  do {                                                                                               \
    cudaError_t status_ = (call);                                                                    \
    if (status_ != cudaSuccess) {                                                                    \
      fprintf(stderr, "%s:%d: %s: %s (%s)\n", __FILE__, __LINE__, #call, cudaGetErrorName(status_),  \
              cudaGetErrorString(status_));                                                          \
      exit(EXIT_FAILURE);                                                                            \
    }                                                                                                \
  } while (0)

__global__ void product(const float *A, const float *B, float *C, size_t M, size_t N, size_t K) {
  size_t row = blockIdx.y * (size_t)blockDim.y + threadIdx.y;
  size_t column = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (!(row < M) || !(column < N)) return;
  double sum = 0.0;
  for (size_t k = 0; k < K; ++k) sum += static_cast<double>(A[row * K + k]) * (double)B[k * N + column];
  C[row * N + column] = (float)sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  cudaDeviceProp properties;
  CHECK(cudaGetDeviceProperties(&properties, 0));
  int side = properties.maxThreadsPerBlock >= 1024 ? 32 : 16;
  dim3 block(side, side, 1), grid((N + side - 1) / side, (M + side - 1) / side, 1);
  product<<<grid, block>>>(A, B, C, M, N, K);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
}
