// The number of blocks is rounded down, but never below 1.
// lab: lab1
// first: rows 0 to 15 of 17 and columns 0 to 15 of 17
// first: the grid (line 21) is 1 x 1 blocks, and it takes 2 x 2
// first: Round up: (17 + 15) / 16 blocks in x
#include <cuda_runtime.h>

__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && column < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
  }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(16, 16);
  dim3 grid(N < 16 ? 1 : N / 16, M < 16 ? 1 : M / 16);
  product<<<grid, block>>>(A, B, C, M, N, K);
}
