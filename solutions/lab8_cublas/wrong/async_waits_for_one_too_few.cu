// Three stages of cp.async, of which two may still be on their way when one is multiplied.
// verdict: partial
// loses: barriers
// may-lose: sgemm sgemm_loads sgemm_rows sgemm_wide sgemm_banks sgemm_time
// hazard: race
#define OWN_SGEMM
#include "rest.h"

#include <cuda_pipeline.h>
constexpr int TS = 128, KS = 8, STAGES = 3;
__global__ void __launch_bounds__(256)
    product_kernel(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ __align__(16) float a[STAGES][KS][TS + 4], b[STAGES][KS][TS];
  int t = threadIdx.x, x = t % 16 * 4, y = t / 16 * 4, top = blockIdx.y * TS,
      left = blockIdx.x * TS;
  bool wide = N % 4 == 0;
  auto bring = [&](int s, int k0) {
    if (k0 < K) {
      for (int i = t; i < TS * KS; i += 256) {
        int r = i / KS, c = i % KS;
        bool in = top + r < M && k0 + c < K;
        __pipeline_memcpy_async(&a[s][c][r], in ? A + (size_t)(top + r) * K + k0 + c : A, 4,
                                in ? 0 : 4);
      }
      int r = t / 32, c = t % 32 * 4;
      if (wide) {
        bool in = k0 + r < K && left + c < N;
        __pipeline_memcpy_async(&b[s][r][c], in ? B + (size_t)(k0 + r) * N + left + c : B, 16,
                                in ? 0 : 16);
      } else
        for (int q = 0; q < 4; q++) {
          bool in = k0 + r < K && left + c + q < N;
          __pipeline_memcpy_async(&b[s][r][c + q], in ? B + (size_t)(k0 + r) * N + left + c + q : B,
                                  4, in ? 0 : 4);
        }
    }
    __pipeline_commit();
  };
  float sum[8][8] = {};
  for (int s = 0; s < STAGES - 1; s++) bring(s, s * KS);
  for (int k0 = 0, s = 0; k0 < K; k0 += KS, s = (s + 1) % STAGES) {
    __pipeline_wait_prior(2);
    __syncthreads();
    bring((s + 2) % STAGES, k0 + 2 * KS);
#pragma unroll
    for (int kk = 0; kk < KS; kk++) {
      float4 a0 = *(float4 *)&a[s][kk][y], a1 = *(float4 *)&a[s][kk][y + 64],
             b0 = *(float4 *)&b[s][kk][x], b1 = *(float4 *)&b[s][kk][x + 64];
      float av[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w},
            bv[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
      for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++) sum[i][j] += av[i] * bv[j];
    }
  }
#pragma unroll
  for (int i = 0; i < 8; i++)
#pragma unroll
    for (int j = 0; j < 8; j++) {
      int row = top + y + i % 4 + i / 4 * 64, column = left + x + j % 4 + j / 4 * 64;
      if (row < M && column < N) C[(size_t)row * N + column] = sum[i][j];
    }
}
void sgemm(const float *A, const float *B, float *C, int M, int N, int K) {
  product_kernel<<<dim3((N + TS - 1) / TS, (M + TS - 1) / TS), 256>>>(A, B, C, M, N, K);
}
