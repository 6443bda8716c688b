// Tiles of 32 x 32, one element a thread, as in lab 2: right, and far from the ceiling.
// verdict: partial
// loses: sgemm_loads sgemm_rows sgemm_wide sgemm_banks sgemm_time
// cases: all
// rung: 0 tiles of lab 2
#define OWN_SGEMM
#include "rest.h"

constexpr int TS = 32;

__global__ void tile_kernel(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float a[TS][TS], b[TS][TS];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TS + y, column = blockIdx.x * TS + x;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += TS) {
    a[y][x] = row < M && k0 + x < K ? A[row * K + k0 + x] : 0;
    b[y][x] = k0 + y < K && column < N ? B[(k0 + y) * N + column] : 0;
    __syncthreads();
    for (int k = 0; k < TS; k++) sum += a[y][k] * b[k][x];
    __syncthreads();
  }
  if (row < M && column < N) C[row * N + column] = sum;
}

void sgemm(const float *A, const float *B, float *C, int M, int N, int K) {
  tile_kernel<<<dim3((N + TS - 1) / TS, (M + TS - 1) / TS), dim3(TS, TS)>>>(A, B, C, M, N, K);
}
