// 65 KiB of static shared memory: a block may have 48.
// verdict: partial
// loses: sgemm memory sgemm_loads sgemm_rows sgemm_wide sgemm_banks sgemm_time
// hazard: launch
// reason: compiler would refuse
#define OWN_SGEMM
#include "rest.h"

constexpr int TS = 128, KS = 32;  // 256 threads, 8 x 8 elements of C each

__device__ float at(const float *matrix, int rows, int columns, int row, int column) {
  return row < rows && column < columns ? matrix[row * columns + column] : 0;
}

__global__ void __launch_bounds__(256)
    fast_kernel(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float memory[2 * KS * (TS + 4 + TS)];
  float *a = memory, *b = memory + 2 * KS * (TS + 4);
  int t = threadIdx.x, x = t % 16, y = t / 16 * 8, top = blockIdx.y * TS, left = blockIdx.x * TS;
  float sum[8][8] = {{0}};
  for (int k0 = 0, now = 0; k0 < K; k0 += KS, now ^= 1) {
    float *own_a = a + now * KS * (TS + 4), *own_b = b + now * KS * TS;
    for (int i = t; i < TS * KS; i += 256) {
      own_a[i % KS * (TS + 4) + i / KS] = at(A, M, K, top + i / KS, k0 + i % KS);
      own_b[i] = at(B, K, N, k0 + i / TS, left + i % TS);
    }
    __syncthreads();
    for (int k = 0; k < KS; k++) {
      float down[8], across[8];
      for (int i = 0; i < 8; i++) down[i] = own_a[k * (TS + 4) + y + i];
      for (int j = 0; j < 8; j++) across[j] = own_b[k * TS + x + 16 * j];
      for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) sum[i][j] += down[i] * across[j];
    }
  }
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) {
      int row = top + y + i, column = left + x + 16 * j;
      if (row < M && column < N) C[row * N + column] = sum[i][j];
    }
}

void sgemm(const float *A, const float *B, float *C, int M, int N, int K) {
  fast_kernel<<<dim3((N + TS - 1) / TS, (M + TS - 1) / TS), 256>>>(A, B, C, M, N, K);
}
