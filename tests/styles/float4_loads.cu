// Each thread computes four neighbouring columns; 128-bit loads and stores where the address allows them.
#include <cuda_runtime.h>

__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int column = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= M || column >= N) return;
  if (N % 4 == 0) {
    float4 sum = make_float4(0.f, 0.f, 0.f, 0.f);
    for (int k = 0; k < K; k++) {
      float a = A[row * K + k];
      float4 b = *reinterpret_cast<const float4 *>(&B[k * N + column]);
      sum.x += a * b.x;
      sum.y += a * b.y;
      sum.z += a * b.z;
      sum.w += a * b.w;
    }
    *reinterpret_cast<float4 *>(&C[row * N + column]) = sum;
  } else {
    for (int c = column; c < column + 4 && c < N; c++) {
      float sum = 0;
      for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + c];
      C[row * N + c] = sum;
    }
  }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(16, 16);
  dim3 grid((N + 63) / 64, (M + 15) / 16);
  product<<<grid, block>>>(A, B, C, M, N, K);
}
