// The grid has its x and y exchanged: enough blocks for square matrices only.
// lab: lab1
// first: rows 0 to 15 of 64
// first: the grid (line 20) is 4 x 1 blocks, and it takes 1 x 4
// first: as the kernel goes along the columns of C with blockIdx.x: exchange x and y
#include <cuda_runtime.h>

__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0.0f;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(16, 16);
  dim3 grid((M + 15) / 16, (N + 15) / 16);
  product<<<grid, block>>>(A, B, C, M, N, K);
}
