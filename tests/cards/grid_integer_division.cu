// ceil() of an integer division: rounded down before it is rounded up.
// lab: lab1
// first: grid_integer_division.cu:20: launch refused: the grid is 0 x 0 x 1
// first: Round up when dividing
#include <cuda_runtime.h>
#include <cmath>

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
  dim3 grid(ceil(N / 16), ceil(M / 16));
  product<<<grid, block>>>(A, B, C, M, N, K);
}
