// The barrier after the products is missing: the next tiles are filled while other warps still read these.
// verdict: partial
// loses: barriers
// may-lose: d1 d1_reuse d1_loads
// hazard: race 19 22
#define OWN_COLUMN
#include "rest.h"

constexpr int T1 = 64, K1 = 8;  // 512 threads, 8 elements of a column of C each

__global__ void column_kernel(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float a[T1][K1], b[K1][T1];
  int t = threadIdx.x, x = t % T1, y = t / T1 * 8;
  int top = blockIdx.y * T1, column = blockIdx.x * T1 + x;
  float sum[8] = {0};
  for (int k0 = 0; k0 < K; k0 += K1) {
    int row = top + t / K1, ak = k0 + t % K1, bk = k0 + t / T1;
    a[t / K1][t % K1] = row < M && ak < K ? A[row * K + ak] : 0;
    b[t / T1][x] = bk < K && column < N ? B[bk * N + column] : 0;
    __syncthreads();
    for (int k = 0; k < K1; k++) {
      float right = b[k][x];
      for (int i = 0; i < 8; i++) sum[i] += a[y + i][k] * right;
    }
  }
  for (int i = 0; i < 8; i++)
    if (top + y + i < M && column < N) C[(top + y + i) * N + column] = sum[i];
}

void sgemm_register_1d(const float *A, const float *B, float *C, int M, int N, int K) {
  column_kernel<<<dim3((N + T1 - 1) / T1, (M + T1 - 1) / T1), 512>>>(A, B, C, M, N, K);
}
