// No shared memory: a warp holds 32 elements of a row of A in registers and hands them round with __shfl_sync; segments of 8 and
// __shfl_xor_sync add partial sums of pairs.
#include <cuda_runtime.h>

__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  const unsigned full = 0xffffffffu;
  int lane = threadIdx.x;
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * 16 + lane / 2;  // two lanes a column: even and odd k
  int half = lane & 1;
  float sum = 0.0f;
  for (int k0 = 0; k0 < K; k0 += 32) {
    float mine = row < M && k0 + lane < K ? A[row * K + k0 + lane] : 0.0f;
    for (int k = 0; k < 32; k += 2) {
      float a = __shfl_sync(full, mine, k + half);
      int at = k0 + k + half;
      if (column < N && at < K) sum += a * B[at * N + column];
    }
  }
  sum += __shfl_xor_sync(full, sum, 1, 8);
  if (row < M && column < N && half == 0) C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  product<<<dim3((N + 15) / 16, (M + 3) / 4), dim3(32, 4)>>>(A, B, C, M, N, K);
}
