// Adds up in C, in global memory, which nobody has set to 0.
// lab: lab1
// first: sum_in_c.cu:11: uninitialised read
// first: Keep the sum in a register (float sum = 0), and write it once, after the loop
#include <cuda_runtime.h>

__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  for (int k = 0; k < K; k++) C[row * N + column] += A[row * K + k] * B[k * N + column];
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(16, 16);
  dim3 grid((N + 15) / 16, (M + 15) / 16);
  product<<<grid, block>>>(A, B, C, M, N, K);
}
