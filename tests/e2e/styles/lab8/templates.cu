// One kernel for all three products: tile, step and the elements of a thread are template
// parameters.
// verdict: pass
// may-lose: sgemm_time
#define OWN_COLUMN
#define OWN_SQUARE
#define OWN_SGEMM
#include "rest.h"

template <int BM, int BN, int BK, int TM, int TN>
struct Tiling {
  static constexpr int threads = BM / TM * (BN / TN);
  static_assert(BM * BK % threads == 0 && BK * BN % threads == 0, "threads load the same each");
};

template <int BM, int BN, int BK, int TM, int TN, bool VEC>
__global__ void __launch_bounds__(Tiling<BM, BN, BK, TM, TN>::threads)
    product(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M,
            int N, int K) {
  constexpr int T = Tiling<BM, BN, BK, TM, TN>::threads, NX = BN / TN;
  __shared__ __align__(16) float As[BK][BM + 4];
  __shared__ __align__(16) float Bs[BK][BN];
  const int tx = threadIdx.x % NX, ty = threadIdx.x / NX;
  const int r0 = blockIdx.y * BM, c0 = blockIdx.x * BN;
  float acc[TM][TN] = {};
  for (int k0 = 0; k0 < K; k0 += BK) {
    if (VEC) {
#pragma unroll
      for (int i = threadIdx.x; i < BM * BK / 4; i += T) {
        const int r = i / (BK / 4), k = i % (BK / 4) * 4;
        float4 v = make_float4(0.f, 0.f, 0.f, 0.f);
        if (r0 + r < M && k0 + k < K)
          v = *reinterpret_cast<const float4 *>(&A[(r0 + r) * K + k0 + k]);
        As[k + 0][r] = v.x;
        As[k + 1][r] = v.y;
        As[k + 2][r] = v.z;
        As[k + 3][r] = v.w;
      }
#pragma unroll
      for (int i = threadIdx.x; i < BK * BN / 4; i += T) {
        const int k = i / (BN / 4), c = i % (BN / 4) * 4;
        float4 v = make_float4(0.f, 0.f, 0.f, 0.f);
        if (k0 + k < K && c0 + c < N)
          v = *reinterpret_cast<const float4 *>(&B[(k0 + k) * N + c0 + c]);
        *reinterpret_cast<float4 *>(&Bs[k][c]) = v;
      }
    } else {
      for (int i = threadIdx.x; i < BM * BK; i += T) {
        const int r = i / BK, k = i % BK;
        As[k][r] = r0 + r < M && k0 + k < K ? A[(r0 + r) * K + k0 + k] : 0.f;
      }
      for (int i = threadIdx.x; i < BK * BN; i += T) {
        const int k = i / BN, c = i % BN;
        Bs[k][c] = k0 + k < K && c0 + c < N ? B[(k0 + k) * N + c0 + c] : 0.f;
      }
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      float a[TM], b[TN];
#pragma unroll
      for (int i = 0; i < TM; ++i) a[i] = As[k][ty * TM + i];
#pragma unroll
      for (int j = 0; j < TN; ++j) b[j] = Bs[k][tx + NX * j];
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) acc[i][j] = fmaf(a[i], b[j], acc[i][j]);
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < TM; ++i)
#pragma unroll
    for (int j = 0; j < TN; ++j) {
      const int r = r0 + ty * TM + i, c = c0 + tx + NX * j;
      if (r < M && c < N) C[r * N + c] = acc[i][j];
    }
}

template <int BM, int BN, int BK, int TM, int TN>
static void launch(const float *A, const float *B, float *C, int M, int N, int K, bool vec) {
  const dim3 grid((N + BN - 1) / BN, (M + BM - 1) / BM);
  constexpr int threads = Tiling<BM, BN, BK, TM, TN>::threads;
  if (vec && K % 4 == 0 && N % 4 == 0)
    product<BM, BN, BK, TM, TN, true><<<grid, threads>>>(A, B, C, M, N, K);
  else
    product<BM, BN, BK, TM, TN, false><<<grid, threads>>>(A, B, C, M, N, K);
}

void sgemm_register_1d(const float *A, const float *B, float *C, int M, int N, int K) {
  launch<64, 64, 8, 8, 1>(A, B, C, M, N, K, false);
}
void sgemm_register_2d(const float *A, const float *B, float *C, int M, int N, int K) {
  launch<128, 128, 8, 8, 8>(A, B, C, M, N, K, false);
}
void sgemm(const float *A, const float *B, float *C, int M, int N, int K) {
  launch<128, 128, 16, 8, 8>(A, B, C, M, N, K, true);
}
