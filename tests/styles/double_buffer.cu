// Double buffering: the next tile is loaded into the other half while this one is used; one barrier a step.
#include <cuda_runtime.h>

const int T = 16;

__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float a[2][T][T], b[2][T][T];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, column = blockIdx.x * T + x;
  int steps = (K + T - 1) / T;
  float nextA = row < M && x < K ? A[row * K + x] : 0, nextB = y < K && column < N ? B[y * N + column] : 0;
  a[0][y][x] = nextA;
  b[0][y][x] = nextB;
  __syncthreads();
  float sum = 0;
  for (int step = 0; step < steps; step++) {
    int now = step & 1, k = (step + 1) * T;
    if (step + 1 < steps) {
      nextA = row < M && k + x < K ? A[row * K + k + x] : 0;
      nextB = k + y < K && column < N ? B[(k + y) * N + column] : 0;
    }
#pragma unroll
    for (int i = 0; i < T; i++) sum += a[now][y][i] * b[now][i][x];
    if (step + 1 < steps) {
      a[now ^ 1][y][x] = nextA;
      b[now ^ 1][y][x] = nextB;
    }
    __syncthreads();  // the other half is complete, and this one may be overwritten
  }
  if (row < M && column < N) C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  product<<<dim3((N + T - 1) / T, (M + T - 1) / T), dim3(T, T)>>>(A, B, C, M, N, K);
}
