// Register tiling: a 64 x 64 tile by 16 x 16 threads, 4 x 4 results each.
#include <cuda_runtime.h>

constexpr int BM = 64, BN = 64, BK = 16, TM = 4, TN = 4;

__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float As[BK][BM];
  __shared__ float Bs[BK][BN];
  const int tid = threadIdx.y * blockDim.x + threadIdx.x;
  const int row0 = blockIdx.y * BM, col0 = blockIdx.x * BN;
  float acc[TM][TN] = {{0}};
  for (int k0 = 0; k0 < K; k0 += BK) {
    for (int i = tid; i < BM * BK; i += 256) {
      int r = i / BK, k = i % BK;
      As[k][r] = (row0 + r < M && k0 + k < K) ? A[(row0 + r) * K + k0 + k] : 0.0f;
    }
    for (int i = tid; i < BK * BN; i += 256) {
      int k = i / BN, c = i % BN;
      Bs[k][c] = (k0 + k < K && col0 + c < N) ? B[(k0 + k) * N + col0 + c] : 0.0f;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < BK; ++k) {
      float a[TM], b[TN];
#pragma unroll
      for (int i = 0; i < TM; ++i) a[i] = As[k][threadIdx.y * TM + i];
#pragma unroll
      for (int j = 0; j < TN; ++j) b[j] = Bs[k][threadIdx.x * TN + j];
#pragma unroll
      for (int i = 0; i < TM; ++i)
#pragma unroll
        for (int j = 0; j < TN; ++j) acc[i][j] += a[i] * b[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < TM; ++i) {
    int r = row0 + threadIdx.y * TM + i;
    for (int j = 0; j < TN; ++j) {
      int c = col0 + threadIdx.x * TN + j;
      if (r < M && c < N) C[r * N + c] = acc[i][j];
    }
  }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 grid((N + BN - 1) / BN, (M + BM - 1) / BM), block(BN / TN, BM / TM);
  product<<<grid, block>>>(A, B, C, M, N, K);
}
