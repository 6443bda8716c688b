// A thread multiplies rows y, y + 1, ... and stores them as rows y, y + 8, ...: the sums are right, their places are not.
// verdict: partial
// reason: other places nearby
// loses: d1 d1_reuse d1_loads
#define OWN_COLUMN
#include "rest.h"

constexpr int T1 = 64, K1 = 8;  // 512 threads, 8 elements of a column of C each

__global__ void column_kernel(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float a[T1][K1], b[K1][T1];
  int t = threadIdx.x, x = t % T1, y = t / T1;
  int top = blockIdx.y * T1, column = blockIdx.x * T1 + x;
  float sum[8] = {0};
  for (int k0 = 0; k0 < K; k0 += K1) {
    int row = top + t / K1, ak = k0 + t % K1, bk = k0 + t / T1;
    a[t / K1][t % K1] = row < M && ak < K ? A[row * K + ak] : 0;
    b[t / T1][x] = bk < K && column < N ? B[bk * N + column] : 0;
    __syncthreads();
    for (int k = 0; k < K1; k++) {
      float right = b[k][x];
      for (int i = 0; i < 8; i++) sum[i] += a[y * 8 + i][k] * right;
    }
    __syncthreads();
  }
  for (int i = 0; i < 8; i++)
    if (top + y + i * 8 < M && column < N) C[(top + y + i * 8) * N + column] = sum[i];
}

void sgemm_register_1d(const float *A, const float *B, float *C, int M, int N, int K) {
  column_kernel<<<dim3((N + T1 - 1) / T1, (M + T1 - 1) / T1), 512>>>(A, B, C, M, N, K);
}
