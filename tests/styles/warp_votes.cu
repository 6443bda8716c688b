// Votes and block-wide predicates: zero pieces of A are skipped when the whole block agrees.
#include <cuda_runtime.h>

__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float a[8][32];
  int lane = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * 8 + y, column = blockIdx.x * 32 + lane;
  float sum = 0;
  for (int k0 = 0; k0 < K; k0 += 32) {
    float mine = row < M && k0 + lane < K ? A[row * K + k0 + lane] : 0.0f;
    a[y][lane] = mine;
    if (!__syncthreads_or(mine != 0.0f)) continue;
    unsigned nonzero = __ballot_sync(0xffffffffu, mine != 0.0f);
    while (nonzero && column < N) {
      int k = __ffs(nonzero) - 1;
      nonzero &= nonzero - 1;
      sum += a[y][k] * B[(k0 + k) * N + column];
    }
    __syncthreads();
  }
  if (__any_sync(0xffffffffu, row < M) && row < M && column < N) C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  product<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8)>>>(A, B, C, M, N, K);
}
