// float4 by the conditional operator, kept as float4 in registers, elements through a pointer.
// verdict: pass
// may-lose: sgemm_time
// rung: 3 float4, A transposed
#define OWN_SGEMM
#include "rest.h"

#define FETCH(pointer) (reinterpret_cast<const float4 *>(&(pointer))[0])
#define STORE(pointer) (reinterpret_cast<float4 *>(&(pointer))[0])
constexpr int BM = 128, BN = 128, BK = 8, TM = 8, TN = 8;

__global__ __launch_bounds__(256) void vectors(const float *A, const float *B, float *C, int M,
                                               int N, int K) {
  __shared__ __align__(16) float As[BK * (BM + 4)], Bs[BK * BN];
  const int innerRowA = threadIdx.x / 2, innerColA = threadIdx.x % 2;
  const int innerRowB = threadIdx.x / 32, innerColB = threadIdx.x % 32;
  const int threadCol = threadIdx.x % 16, threadRow = threadIdx.x / 16;
  float results[TM * TN] = {0.0f}, regM[TM] = {0.0f}, regN[TN] = {0.0f};
  const int row = blockIdx.y * BM + innerRowA, column = blockIdx.x * BN + innerColB * 4;
  for (int bk = 0; bk < K; bk += BK) {
    const int k = bk + innerColA * 4;
    float4 tmp = row < M && k < K ? FETCH(A[row * K + k]) : make_float4(0.f, 0.f, 0.f, 0.f);
    As[(innerColA * 4 + 0) * (BM + 4) + innerRowA] = tmp.x;
    As[(innerColA * 4 + 1) * (BM + 4) + innerRowA] = tmp.y;
    As[(innerColA * 4 + 2) * (BM + 4) + innerRowA] = tmp.z;
    As[(innerColA * 4 + 3) * (BM + 4) + innerRowA] = tmp.w;
    STORE(Bs[innerRowB * BN + innerColB * 4]) = bk + innerRowB < K && column < N
                                                    ? FETCH(B[(bk + innerRowB) * N + column])
                                                    : make_float4(0.f, 0.f, 0.f, 0.f);
    __syncthreads();
#pragma unroll
    for (int dot = 0; dot < BK; ++dot) {
      STORE(regM[0]) = FETCH(As[dot * (BM + 4) + threadRow * 4]);
      STORE(regM[4]) = FETCH(As[dot * (BM + 4) + threadRow * 4 + 64]);
      STORE(regN[0]) = FETCH(Bs[dot * BN + threadCol * 4]);
      STORE(regN[4]) = FETCH(Bs[dot * BN + threadCol * 4 + 64]);
#pragma unroll
      for (int m = 0; m < TM; ++m)
#pragma unroll
        for (int n = 0; n < TN; ++n) results[m * TN + n] += regM[m] * regN[n];
    }
    __syncthreads();
  }
#pragma unroll
  for (int m = 0; m < TM; ++m)
#pragma unroll
    for (int n = 0; n < TN; n += 4) {
      const int r = blockIdx.y * BM + threadRow * 4 + m % 4 + m / 4 * 64;
      const int c = blockIdx.x * BN + threadCol * 4 + n / 4 * 64;
      if (r < M && c < N) STORE(C[r * N + c]) = FETCH(results[m * TN + n]);
    }
}

// Sizes that are no multiples of four.
__global__ void plain(const float *A, const float *B, float *C, int M, int N, int K) {
  int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
  if (r >= M || c >= N) return;
  float sum = 0;
  for (int k = 0; k < K; ++k) sum += A[r * K + k] * B[k * N + c];
  C[r * N + c] = sum;
}

void sgemm(const float *A, const float *B, float *C, int M, int N, int K) {
  if (K % 4 == 0 && N % 4 == 0)
    vectors<<<dim3((N + BN - 1) / BN, (M + BM - 1) / BM), 256>>>(A, B, C, M, N, K);
  else
    plain<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8)>>>(A, B, C, M, N, K);
}
