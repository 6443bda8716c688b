// No padding: columns of A and of the transpose's tile are exchanged by exclusive or; the transpose
// by 4 x 4 in registers.
// verdict: pass
// may-lose: sgemm_time
#define OWN_SGEMM
#define OWN_TRANSPOSE
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
  int t = threadIdx.x, x = t % 16 * 4, y = t / 16 * 4;
  int ar = t / 2, ak = t % 2 * 4, bk = t / 32, bc = t % 32 * 4;
  int row = blockIdx.y * TS + ar, column = blockIdx.x * TS + bc;
  float sum[8][8] = {{0}};
  float4 va = four<ALIGNED>(A + row * K + ak, row < M ? K - ak : 0);
  float4 vb = four<ALIGNED>(B + bk * N + column, bk < K ? N - column : 0);
  for (int k0 = 0, now = 0; k0 < K; k0 += KS, now ^= 1) {
    a[now][ak][ar ^ ak * 4] = va.x;
    a[now][ak + 1][ar ^ ak * 4] = va.y;
    a[now][ak + 2][ar ^ ak * 4] = va.z;
    a[now][ak + 3][ar ^ ak * 4] = va.w;
    *reinterpret_cast<float4 *>(&b[now][bk][bc]) = vb;
    __syncthreads();
    int next = k0 + KS;
    va = four<ALIGNED>(A + row * K + next + ak, row < M ? K - next - ak : 0);
    vb = four<ALIGNED>(B + (next + bk) * N + column, next + bk < K ? N - column : 0);
#pragma unroll
    for (int k = 0; k < KS; k++) {
      float down[8], across[8];
#pragma unroll
      for (int i = 0; i < 8; i++) down[i] = a[now][k][(y + i / 4 * 64 ^ k / 4 * 16) + i % 4];
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

__global__ void turn(const float *in, float *out, int rows, int cols, bool aligned) {
  __shared__ float4 tile[64][16];
  int x = threadIdx.x, y = threadIdx.y, top = blockIdx.y * 64, left = blockIdx.x * 64;
  float v[4][4] = {};
#pragma unroll
  for (int i = 0; i < 4; i++) {
    int row = top + 4 * y + i, column = left + 4 * x;
    if (row < rows && aligned && column < cols) {
      float4 four = *reinterpret_cast<const float4 *>(in + (size_t)row * cols + column);
      v[i][0] = four.x, v[i][1] = four.y, v[i][2] = four.z, v[i][3] = four.w;
    } else if (row < rows) {
      for (int j = 0; j < 4; j++)
        if (column + j < cols) v[i][j] = in[(size_t)row * cols + column + j];
    }
  }
#pragma unroll
  for (int j = 0; j < 4; j++)
    tile[4 * x + j][y ^ x] = make_float4(v[0][j], v[1][j], v[2][j], v[3][j]);
  __syncthreads();
#pragma unroll
  for (int j = 0; j < 4; j++) {
    int row = left + 4 * y + j, column = top + 4 * x;
    float4 four = tile[4 * y + j][x ^ y];
    float *to = out + (size_t)row * rows + column;
    if (row >= cols) continue;
    if (aligned) {
      if (column < rows) *reinterpret_cast<float4 *>(to) = four;
    } else {
      if (column < rows) to[0] = four.x;
      if (column + 1 < rows) to[1] = four.y;
      if (column + 2 < rows) to[2] = four.z;
      if (column + 3 < rows) to[3] = four.w;
    }
  }
}

void transpose_best(const float *in, float *out, int rows, int cols) {
  turn<<<dim3((cols + 63) / 64, (rows + 63) / 64), dim3(16, 16)>>>(in, out, rows, cols,
                                                                   rows % 4 == 0 && cols % 4 == 0);
}
