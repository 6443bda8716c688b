// Register tiling with 8 x 8 results a thread, 1-D blocks of 256 threads, float4 reads of shared memory.
#include <cuda_runtime.h>
#define CEIL_DIV(a, b) (((a) + (b)-1) / (b))

template <const int BM, const int BN, const int BK, const int TM, const int TN>
__global__ void __launch_bounds__((BM * BN) / (TM * TN), 1)
    product(int M, int N, int K, const float *A, const float *B, float *C) {
  const uint cRow = blockIdx.y, cCol = blockIdx.x;
  const int threadCol = threadIdx.x % (BN / TN), threadRow = threadIdx.x / (BN / TN);
  __shared__ __align__(16) float As[BK * BM];
  __shared__ __align__(16) float Bs[BK * BN];
  const uint threads = (BM * BN) / (TM * TN);
  float results[TM * TN] = {0.0};
  float regM[TM], regN[TN];
  for (int bk = 0; bk < K; bk += BK) {
    for (uint i = threadIdx.x; i < BM * BK; i += threads) {
      uint r = cRow * BM + i / BK, k = bk + i % BK;
      As[(i % BK) * BM + i / BK] = r < M && k < K ? A[r * K + k] : 0.0f;
    }
    for (uint i = threadIdx.x; i < BK * BN; i += threads) {
      uint k = bk + i / BN, c = cCol * BN + i % BN;
      Bs[i] = k < K && c < N ? B[k * N + c] : 0.0f;
    }
    __syncthreads();
    for (uint dot = 0; dot < BK; ++dot) {
      for (uint i = 0; i < TM; i += 4)
        reinterpret_cast<float4 *>(&regM[i])[0] =
            reinterpret_cast<const float4 *>(&As[dot * BM + threadRow * TM + i])[0];
      for (uint i = 0; i < TN; ++i) regN[i] = Bs[dot * BN + threadCol * TN + i];
      for (uint m = 0; m < TM; ++m)
        for (uint n = 0; n < TN; ++n) results[m * TN + n] += regM[m] * regN[n];
    }
    __syncthreads();
  }
  for (uint m = 0; m < TM; ++m)
    for (uint n = 0; n < TN; ++n) {
      uint r = cRow * BM + threadRow * TM + m, c = cCol * BN + threadCol * TN + n;
      if (r < M && c < N) C[r * N + c] = results[m * TN + n];
    }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  const uint BM = 128, BN = 128, BK = 8, TM = 8, TN = 8;
  dim3 gridDim(CEIL_DIV(N, BN), CEIL_DIV(M, BM));
  dim3 blockDim((BM * BN) / (TM * TN));
  product<BM, BN, BK, TM, TN><<<gridDim, blockDim>>>(M, N, K, A, B, C);
}
