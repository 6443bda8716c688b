// Square tiles in static shared memory, zeros outside the matrices.
#include <cuda_runtime.h>
#define TILE 16

__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float a[TILE][TILE];
  __shared__ float b[TILE][TILE];
  int tx = threadIdx.x, ty = threadIdx.y;
  int row = blockIdx.y * TILE + ty, column = blockIdx.x * TILE + tx;
  float sum = 0;
  for (int t = 0; t < (K + TILE - 1) / TILE; ++t) {
    int k = t * TILE;
    a[ty][tx] = (row < M && k + tx < K) ? A[row * K + k + tx] : 0.0f;
    b[ty][tx] = (k + ty < K && column < N) ? B[(k + ty) * N + column] : 0.0f;
    __syncthreads();  // the tiles are complete
    for (int i = 0; i < TILE; ++i) sum += a[ty][i] * b[i][tx];
    __syncthreads();  // all have read before the next tiles overwrite
  }
  if (row < M && column < N) C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(TILE, TILE), grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
  product<<<grid, block>>>(A, B, C, M, N, K);
  cudaDeviceSynchronize();
}
