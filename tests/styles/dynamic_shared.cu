// Tiles in dynamic shared memory, sized at run time, both carved out of one extern array.
#include <cstdio>

extern __shared__ float tiles[];

__global__ void product(const float *A, const float *B, float *C, int M, int N, int K, int tile) {
  float *a = tiles, *b = tiles + tile * tile;
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * tile + y, column = blockIdx.x * tile + x;
  float sum = 0;
  for (int start = 0; start < K; start += tile) {
    a[y * tile + x] = row < M && start + x < K ? A[(size_t)row * K + start + x] : 0;
    b[y * tile + x] = start + y < K && column < N ? B[(size_t)(start + y) * N + column] : 0;
    __syncthreads();
    for (int k = 0; k < tile; k++) sum += a[y * tile + k] * b[k * tile + x];
    __syncthreads();
  }
  if (row < M && column < N) C[(size_t)row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  int tile = M * N < 1000 ? 8 : 32;
  dim3 grid((N + tile - 1) / tile, (M + tile - 1) / tile);
  product<<<grid, dim3(tile, tile), 2 * tile * tile * sizeof(float)>>>(A, B, C, M, N, K, tile);
  cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) fprintf(stderr, "launch: %s\n", cudaGetErrorString(error));
}
