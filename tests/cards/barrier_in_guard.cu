// The barriers stand in the guard that keeps threads outside of C from working.
// lab: lab2
// first: barrier_in_guard.cu:19: barrier not reached by all threads
// first: the barrier stands in a branch that not all threads take
// first: Move the barrier out of the condition
#include <cuda_runtime.h>

constexpr int TILE = 16;

__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float a[TILE][TILE], b[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0.0f;
  if (row < M && column < N)
    for (int start = 0; start < K; start += TILE) {
      a[y][x] = row < M && start + x < K ? A[row * K + start + x] : 0.0f;
      b[y][x] = start + y < K && column < N ? B[(start + y) * N + column] : 0.0f;
      __syncthreads();
      for (int k = 0; k < TILE; k++) sum += a[y][k] * b[k][x];
      __syncthreads();
    }
  if (row < M && column < N) C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(TILE, TILE);
  dim3 grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
  product<<<grid, block>>>(A, B, C, M, N, K);
}
