// A thread has eight neighbouring columns of C: lanes read float4 of B that are 32 bytes apart, and A is stored into one bank.
// verdict: partial
// loses: sgemm_banks
// may-lose: sgemm_time
#define OWN_SGEMM
#include "rest.h"

constexpr int TS = 128, KS = 8;  // 256 threads, 8 x 8 elements of C each: four squares of 4 x 4

// Four neighbours, of which the first `left` are inside of the matrix.
template <bool ALIGNED>
__device__ float4 four(const float *p, int left) {
  float4 v = make_float4(0, 0, 0, 0);
  if (ALIGNED && left > 0) v = *reinterpret_cast<const float4 *>(p);
  if (!ALIGNED && left > 0) v.x = p[0];
  if (!ALIGNED && left > 1) v.y = p[1];
  if (!ALIGNED && left > 2) v.z = p[2];
  if (!ALIGNED && left > 3) v.w = p[3];
  return v;
}

template <bool ALIGNED>
__global__ void __launch_bounds__(256)
    fast_kernel(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ __align__(16) float a[2][KS][TS], b[2][KS][TS];
  int t = threadIdx.x, x = t % 16 * 8, y = t / 16 * 4;
  int ar = t / 2, ak = t % 2 * 4, bk = t / 32, bc = t % 32 * 4;
  int row = blockIdx.y * TS + ar, column = blockIdx.x * TS + bc;
  float sum[8][8] = {{0}};
  float4 va = four<ALIGNED>(A + row * K + ak, row < M ? K - ak : 0);
  float4 vb = four<ALIGNED>(B + bk * N + column, bk < K ? N - column : 0);
  for (int k0 = 0, now = 0; k0 < K; k0 += KS, now ^= 1) {
    a[now][ak][ar] = va.x;
    a[now][ak + 1][ar] = va.y;
    a[now][ak + 2][ar] = va.z;
    a[now][ak + 3][ar] = va.w;
    *reinterpret_cast<float4 *>(&b[now][bk][bc]) = vb;
    __syncthreads();
    int next = k0 + KS;
    va = four<ALIGNED>(A + row * K + next + ak, row < M ? K - next - ak : 0);
    vb = four<ALIGNED>(B + (next + bk) * N + column, next + bk < K ? N - column : 0);
#pragma unroll
    for (int k = 0; k < KS; k++) {
      float down[8], across[8];
#pragma unroll
      for (int i = 0; i < 8; i++) down[i] = a[now][k][y + i / 4 * 64 + i % 4];
#pragma unroll
      for (int j = 0; j < 8; j++) across[j] = b[now][k][x + j];
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
      int r = blockIdx.y * TS + y + i / 4 * 64 + i % 4, c = blockIdx.x * TS + x + j;
      if (r < M && c < N) C[r * N + c] = sum[i][j];
    }
}

void sgemm(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 grid((N + TS - 1) / TS, (M + TS - 1) / TS);
  if (K % 4 == 0 && N % 4 == 0)
    fast_kernel<true><<<grid, 256>>>(A, B, C, M, N, K);
  else
    fast_kernel<false><<<grid, 256>>>(A, B, C, M, N, K);
}
