// A is transposed into memory that is kept from call to call, so that both operands load alike.
// verdict: pass
// may-lose: sgemm_time
#define OWN_SGEMM
#include "rest.h"

__global__ void turn(const float *A, float *At, int M, int K) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y0 = blockIdx.y * 32;
  for (int i = threadIdx.y; i < 32; i += 8)
    if (x < K && y0 + i < M) tile[i][threadIdx.x] = A[(size_t)(y0 + i) * K + x];
  __syncthreads();
  int m = y0 + threadIdx.x;
  for (int i = threadIdx.y; i < 32; i += 8) {
    int kk = blockIdx.x * 32 + i;
    if (m < M && kk < K) At[(size_t)kk * M + m] = tile[threadIdx.x][i];
  }
}
constexpr int TS = 128, KS = 16;
template <bool V>
__global__ void __launch_bounds__(256)
    product_kernel(const float *At, const float *B, float *C, int M, int N, int K) {
  __shared__ __align__(16) float a[KS][TS], b[KS][TS];
  int t = threadIdx.x, x = t % 16 * 4, y = t / 16 * 4, top = blockIdx.y * TS,
      left = blockIdx.x * TS;
  float sum[8][8] = {};
  for (int k0 = 0; k0 < K; k0 += KS) {
    for (int i = t; i < KS * TS / 4; i += 256) {
      int r = i / 32, c = i % 32 * 4;
      if (V) {
        *(float4 *)&a[r][c] = k0 + r < K && top + c < M
                                  ? *(const float4 *)(At + (size_t)(k0 + r) * M + top + c)
                                  : make_float4(0, 0, 0, 0);
        *(float4 *)&b[r][c] = k0 + r < K && left + c < N
                                  ? *(const float4 *)(B + (size_t)(k0 + r) * N + left + c)
                                  : make_float4(0, 0, 0, 0);
      } else {
        for (int q = 0; q < 4; q++) {
          a[r][c + q] =
              k0 + r < K && top + c + q < M ? At[(size_t)(k0 + r) * M + top + c + q] : 0.f;
          b[r][c + q] =
              k0 + r < K && left + c + q < N ? B[(size_t)(k0 + r) * N + left + c + q] : 0.f;
        }
      }
    }
    __syncthreads();
#pragma unroll
    for (int kk = 0; kk < KS; kk++) {
      float4 a0 = *(float4 *)&a[kk][y], a1 = *(float4 *)&a[kk][y + 64], b0 = *(float4 *)&b[kk][x],
             b1 = *(float4 *)&b[kk][x + 64];
      float av[8] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w},
            bv[8] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
      for (int i = 0; i < 8; i++)
#pragma unroll
        for (int j = 0; j < 8; j++) sum[i][j] = __fmaf_rn(av[i], bv[j], sum[i][j]);
    }
    __syncthreads();
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
  static float *scratch;
  static size_t room;
  size_t need = (size_t)M * K;
  if (need > room) {
    if (scratch) cudaFree(scratch);
    cudaMalloc((void **)&scratch, need * sizeof(float));
    room = need;
  }
  turn<<<dim3((K + 31) / 32, (M + 31) / 32), dim3(32, 8)>>>(A, scratch, M, K);
  dim3 grid((N + TS - 1) / TS, (M + TS - 1) / TS);
  if (M % 4 || N % 4)
    product_kernel<false><<<grid, 256>>>(scratch, B, C, M, N, K);
  else
    product_kernel<true><<<grid, 256>>>(scratch, B, C, M, N, K);
}
