// A block a row: the row of A in shared memory in pieces, threads run over the columns; __syncthreads in a uniform loop.
#include <cuda_runtime.h>

#define PIECE 512

__global__ void product(const float *A, const float *B, float *C, int N, int K) {
  __shared__ float piece[PIECE];
  const float *a = A + (size_t)blockIdx.x * K;
  float *c = C + (size_t)blockIdx.x * N;
  for (int column0 = 0; column0 < N; column0 += blockDim.x) {
    int column = column0 + threadIdx.x;
    float sum = 0;
    for (int k0 = 0; k0 < K; k0 += PIECE) {
      int count = min(PIECE, K - k0);
      __syncthreads();
      for (int k = threadIdx.x; k < count; k += blockDim.x) piece[k] = a[k0 + k];
      __syncthreads();
      if (column < N)
        for (int k = 0; k < count; k++) sum += piece[k] * B[(size_t)(k0 + k) * N + column];
    }
    if (column < N) c[column] = sum;
  }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  product<<<M, 128>>>(A, B, C, N, K);
}
