// Other sizes are copied into matrices of whole tiles first, so that the kernel has no guard.
// verdict: pass
// may-lose: sgemm_time
#define OWN_SGEMM
#include "rest.h"

constexpr int TS = 128, KS = 8;
#define FOUR(element) *reinterpret_cast<const float4 *>(&element)

__global__ void __launch_bounds__(256)
    fast_kernel(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ __align__(16) float a[2][KS][TS + 4], b[2][KS][TS];
  int t = threadIdx.x, x = t % 16 * 4, y = t / 16 * 4;
  int ar = t / 2, ak = t % 2 * 4, bk = t / 32, bc = t % 32 * 4;
  int row = blockIdx.y * TS + ar, column = blockIdx.x * TS + bc;
  float sum[8][8] = {{0}};
  float4 va = FOUR(A[row * K + ak]);
  float4 vb = FOUR(B[bk * N + column]);
  for (int k0 = 0, now = 0; k0 < K; k0 += KS, now ^= 1) {
    a[now][ak][ar] = va.x;
    a[now][ak + 1][ar] = va.y;
    a[now][ak + 2][ar] = va.z;
    a[now][ak + 3][ar] = va.w;
    *reinterpret_cast<float4 *>(&b[now][bk][bc]) = vb;
    __syncthreads();
    int next = k0 + KS;
    if (next < K) va = FOUR(A[row * K + next + ak]);
    if (next < K) vb = FOUR(B[(next + bk) * N + column]);
#pragma unroll
    for (int k = 0; k < KS; k++) {
      float down[8], across[8];
#pragma unroll
      for (int i = 0; i < 8; i++) down[i] = a[now][k][y + i / 4 * 64 + i % 4];
#pragma unroll
      for (int j = 0; j < 8; j++) across[j] = b[now][k][x + j / 4 * 64 + j % 4];
#pragma unroll
      for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++) sum[i][j] += down[i] * across[j];
    }
  }
#pragma unroll
  for (int i = 0; i < 8; i++)
#pragma unroll
    for (int j = 0; j < 8; j++) {
      int r = blockIdx.y * TS + y + i / 4 * 64 + i % 4;
      int c = blockIdx.x * TS + x + j / 4 * 64 + j % 4;
      C[r * N + c] = sum[i][j];
    }
}


static int up(int n, int of) { return (n + of - 1) / of * of; }

void sgemm(const float *A, const float *B, float *C, int M, int N, int K) {
  int m = up(M, TS), n = up(N, TS), k = up(K, KS);
  dim3 grid(n / TS, m / TS);
  if (m == M && n == N && k == K) {
    fast_kernel<<<grid, 256>>>(A, B, C, M, N, K);
    return;
  }
  float *a, *b, *c;
  const size_t f = sizeof(float);
  cudaMalloc(&a, f * m * k);
  cudaMalloc(&b, f * k * n);
  cudaMalloc(&c, f * m * n);
  cudaMemset(a, 0, f * m * k);
  cudaMemset(b, 0, f * k * n);
  cudaMemcpy2D(a, f * k, A, f * K, f * K, M, cudaMemcpyDeviceToDevice);
  cudaMemcpy2D(b, f * n, B, f * N, f * N, K, cudaMemcpyDeviceToDevice);
  fast_kernel<<<grid, 256>>>(a, b, c, m, n, k);
  cudaMemcpy2D(C, f * N, c, f * n, f * N, M, cudaMemcpyDeviceToDevice);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
