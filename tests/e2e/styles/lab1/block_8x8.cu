// Blocks of 8 x 8, the smallest that keep loads and stores coalesced; multiply-add by name.
// verdict: pass
#include <cuda_runtime.h>

__global__ void product(const float *__restrict__ A, const float *__restrict__ B,
                        float *__restrict__ C, int M, int N, int K) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && column < N) {
    float sum = 0.0f;
    for (int k = 0; k < K; ++k) sum = fmaf(__ldg(&A[row * K + k]), __ldg(&B[k * N + column]), sum);
    C[row * N + column] = sum;
  }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  const dim3 block(8, 8);
  const dim3 grid((N + block.x - 1) / block.x, (M + block.y - 1) / block.y);
  product<<<grid, block>>>(A, B, C, M, N, K);
  cudaDeviceSynchronize();
}
