// 64 x 64 tiles; the next one is fetched into registers, then put into the other buffer.
// verdict: pass
#include <cuda_runtime.h>
#define BM 64
#define BN 64
#define BK 16
template <bool Edge>
__device__ __forceinline__ float ld(const float *p, int r, int c, int R, int Q) {
  return !Edge || (r < R && c < Q) ? __ldg(p + r * Q + c) : 0.f;
}
template <bool Edge>
__global__ __launch_bounds__(256) void mm(const float *A, const float *B, float *C, int M, int N,
                                          int K) {
  __shared__ float sa[2][BK][BM + 1], sb[2][BK][BN];
  int t = threadIdx.x, tx = t & 15, ty = t >> 4, R = blockIdx.y * BM, Q = blockIdx.x * BN;
  float pa[4], pb[4], acc[4][4] = {};
  auto fetch = [&](int k0) {
#pragma unroll
    for (int i = 0; i < 4; i++) {
      int j = t + 256 * i;
      pa[i] = ld<Edge>(A, R + j / BK, k0 + j % BK, M, K);
      pb[i] = ld<Edge>(B, k0 + j / BN, Q + j % BN, K, N);
    }
  };
  auto put = [&](int s) {
#pragma unroll
    for (int i = 0; i < 4; i++) {
      int j = t + 256 * i;
      sa[s][j % BK][j / BK] = pa[i];
      sb[s][j / BN][j % BN] = pb[i];
    }
  };
  fetch(0);
  put(0);
  __syncthreads();
  int s = 0;
  for (int k0 = BK; k0 < K + BK; k0 += BK, s ^= 1) {
    if (k0 < K) fetch(k0);
#pragma unroll
    for (int k = 0; k < BK; k++) {
      float a[4], b[4];
#pragma unroll
      for (int i = 0; i < 4; i++) {
        a[i] = sa[s][k][ty + 16 * i];
        b[i] = sb[s][k][tx + 16 * i];
      }
#pragma unroll
      for (int i = 0; i < 4; i++)
#pragma unroll
        for (int j = 0; j < 4; j++) acc[i][j] += a[i] * b[j];
    }
    if (k0 < K) {
      put(s ^ 1);
      __syncthreads();
    }
  }
#pragma unroll
  for (int i = 0; i < 4; i++)
#pragma unroll
    for (int j = 0; j < 4; j++) {
      int r = R + ty + 16 * i, c = Q + tx + 16 * j;
      if (!Edge || (r < M && c < N)) C[r * N + c] = acc[i][j];
    }
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 g((N + BN - 1) / BN, (M + BM - 1) / BM);
  if (M % BM || N % BN || K % BK)
    mm<true><<<g, 256>>>(A, B, C, M, N, K);
  else
    mm<false><<<g, 256>>>(A, B, C, M, N, K);
}
