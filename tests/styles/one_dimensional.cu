// 1-D blocks and grid: a flat index, divided into row and column.
#include <cuda_runtime.h>

__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= M * N) return;
  int row = i / N, column = i % N;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum = fmaf(A[row * K + k], B[k * N + column], sum);
  C[i] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  const int threads = 256;
  product<<<(M * N + threads - 1) / threads, threads>>>(A, B, C, M, N, K);
}
