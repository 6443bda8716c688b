// Tiles in dynamic shared memory, their width chosen at run time.
// verdict: pass
#include <cuda_runtime.h>

__global__ void tiled(const float *A, const float *B, float *C, int M, int N, int K) {
  extern __shared__ float tiles[];
  int tile = blockDim.x;
  float *a = tiles;
  float *b = tiles + tile * tile;
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
  float sum = 0;
  for (int start = 0; start < K; start += tile) {
    a[y * tile + x] = row < M && start + x < K ? A[row * K + start + x] : 0;
    b[y * tile + x] = start + y < K && column < N ? B[(start + y) * N + column] : 0;
    __syncthreads();
    for (int k = 0; k < tile; k++) sum += a[y * tile + k] * b[k * tile + x];
    __syncthreads();
  }
  if (row < M && column < N) C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  int tile = 32;
  dim3 block(tile, tile), grid((N + tile - 1) / tile, (M + tile - 1) / tile);
  tiled<<<grid, block, 2 * tile * tile * sizeof(float)>>>(A, B, C, M, N, K);
}
