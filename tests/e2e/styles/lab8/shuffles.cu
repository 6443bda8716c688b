// Without shared memory: a warp keeps a strip of A and of B in registers, which lanes hand on by
// shuffles.
// verdict: pass
// may-lose: sgemm_time
#define OWN_SGEMM
#include "rest.h"

constexpr int S = 64, W = 4;  // warps of a block, beside one another
__device__ float at(const float *m, int r, int c, int rows, int columns) {
  return r < rows && c < columns ? m[(size_t)r * columns + c] : 0.f;
}
template <bool V>
__global__ void __launch_bounds__(32 * W)
    product_kernel(const float *A, const float *B, float *C, int M, int N, int K) {
  int lane = threadIdx.x, top = blockIdx.y * S, left = (blockIdx.x * W + threadIdx.y) * S;
  int y = lane / 4 * 8, x = lane % 4 * 16;
  float sum[8][16] = {};
  for (int k0 = 0; k0 < K; k0 += 4) {
    float a[2][4], b[4][2];
#pragma unroll
    for (int h = 0; h < 2; h++) {
      int r = top + h * 32 + lane;
      if (V) {
        float4 f =
            r < M && k0 < K ? *(const float4 *)(A + (size_t)r * K + k0) : make_float4(0, 0, 0, 0);
        a[h][0] = f.x;
        a[h][1] = f.y;
        a[h][2] = f.z;
        a[h][3] = f.w;
      } else
        for (int q = 0; q < 4; q++) a[h][q] = at(A, r, k0 + q, M, K);
    }
#pragma unroll
    for (int q = 0; q < 4; q++) {
      if (V) {
        float2 f = k0 + q < K && left + 2 * lane < N
                       ? *(const float2 *)(B + (size_t)(k0 + q) * N + left + 2 * lane)
                       : make_float2(0, 0);
        b[q][0] = f.x;
        b[q][1] = f.y;
      } else
        for (int h = 0; h < 2; h++) b[q][h] = at(B, k0 + q, left + 2 * lane + h, K, N);
    }
#pragma unroll
    for (int q = 0; q < 4; q++) {
      float av[8], bv[16];
#pragma unroll
      for (int i = 0; i < 8; i++) {
        float low = __shfl_sync(~0u, a[0][q], (y + i) % 32),
              high = __shfl_sync(~0u, a[1][q], (y + i) % 32);
        av[i] = y + i < 32 ? low : high;
      }
#pragma unroll
      for (int j = 0; j < 16; j++) bv[j] = __shfl_sync(~0u, b[q][j % 2], (x + j) / 2);
#pragma unroll
      for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 16; j++) sum[i][j] += av[i] * bv[j];
    }
  }
#pragma unroll
  for (int i = 0; i < 8; i++)
#pragma unroll
    for (int j = 0; j < 16; j++)
      if (top + y + i < M && left + x + j < N)
        C[(size_t)(top + y + i) * N + left + x + j] = sum[i][j];
}
void sgemm(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 grid((N + S * W - 1) / (S * W), (M + S - 1) / S), block(32, W);
  if (N % 4 || K % 4)
    product_kernel<false><<<grid, block>>>(A, B, C, M, N, K);
  else
    product_kernel<true><<<grid, block>>>(A, B, C, M, N, K);
}
