// The copy is on one stream, the kernel on another, and nothing makes it wait.
// lab: lab1
// first: other_stream.cu:24: race
// first: the copy on the device at line 35
// first: put both into one stream
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
  cudaStream_t one, two;
  float *a;
  CHECK(cudaStreamCreateWithFlags(&one, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&two, cudaStreamNonBlocking));
  CHECK(cudaMalloc(&a, sizeof(float) * M * K));
  CHECK(cudaMemcpyAsync(a, A, sizeof(float) * M * K, cudaMemcpyDeviceToDevice, one));
  product<<<grid, block, 0, two>>>(a, B, C, M, N, K);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaFree(a));
  CHECK(cudaStreamDestroy(one));
  CHECK(cudaStreamDestroy(two));
}
