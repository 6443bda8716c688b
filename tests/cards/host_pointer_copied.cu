// A result array of the host is given to cudaMemcpy as if it were the device's.
// lab: lab1
// first: host_pointer_copied.cu:34: CUDA call that failed
// first: cudaMemcpy returned cudaErrorInvalidValue
// first: its source is host memory
// first: Is the order right: destination, source?
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
  float *result = (float *)malloc(sizeof(float) * M * N);
  product<<<grid, block>>>(A, B, C, M, N, K);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(C, result, sizeof(float) * M * N, cudaMemcpyDeviceToDevice));
  free(result);
}
