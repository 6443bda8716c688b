// sum[j][i] is stored where sum[i][j] belongs: each thread's square is transposed.
// verdict: partial
// reason: other places nearby
// loses: d2 d2_reuse d2_loads d2_registers
#define OWN_SQUARE
#include "rest.h"

constexpr int T2 = 128, K2 = 8;  // 256 threads, 8 x 8 elements of C each

__global__ void __launch_bounds__(256)
    square_kernel(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float a[K2][T2 + 4], b[K2][T2];
  int t = threadIdx.x, x = t % 16, y = t / 16 * 8, top = blockIdx.y * T2, left = blockIdx.x * T2;
  float sum[8][8] = {{0}};
  for (int k0 = 0; k0 < K; k0 += K2) {
    for (int i = t / K2; i < T2; i += 256 / K2) {
      int row = top + i, k = k0 + t % K2;
      a[t % K2][i] = row < M && k < K ? A[row * K + k] : 0;
    }
    for (int i = t / T2; i < K2; i += 256 / T2) {
      int k = k0 + i, column = left + t % T2;
      b[i][t % T2] = k < K && column < N ? B[k * N + column] : 0;
    }
    __syncthreads();
    for (int k = 0; k < K2; k++) {
      float down[8], across[8];
      for (int i = 0; i < 8; i++) down[i] = a[k][y + i];
      for (int j = 0; j < 8; j++) across[j] = b[k][x + 16 * j];
      for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) sum[i][j] += down[i] * across[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; i++)
    for (int j = 0; j < 8; j++) {
      int row = top + y + i, column = left + x + 16 * j;
      if (row < M && column < N) C[row * N + column] = sum[j][i];
    }
}

void sgemm_register_2d(const float *A, const float *B, float *C, int M, int N, int K) {
  square_kernel<<<dim3((N + T2 - 1) / T2, (M + T2 - 1) / T2), 256>>>(A, B, C, M, N, K);
}
