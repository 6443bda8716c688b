// A template kernel, the accesses as lambdas, the errors checked.
// verdict: pass
#include <cuda_runtime.h>
#include <cstdio>

template <int UNROLL, typename T>
__global__ void product(const T *A, const T *B, T *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  auto a = [=](int k) { return A[row * K + k]; };
  auto b = [=](int k) { return B[k * N + column]; };
  if (row >= M || column >= N) return;
  T sum[UNROLL] = {};
  int k = 0;
  for (; k + UNROLL <= K; k += UNROLL) {
#pragma unroll
    for (int u = 0; u < UNROLL; u++) sum[u] += a(k + u) * b(k + u);
  }
  for (; k < K; k++) sum[0] += a(k) * b(k);
  T total = 0;
#pragma unroll
  for (int u = 0; u < UNROLL; u++) total += sum[u];
  C[row * N + column] = total;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(32, 32), grid((N + 31) / 32, (M + 31) / 32);
  product<4, float><<<grid, block>>>(A, B, C, M, N, K);
  cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) printf("launch: %s\n", cudaGetErrorString(error));
}
