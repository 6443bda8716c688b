// More than 48 KB of dynamic shared memory, asked for with cudaFuncSetAttribute.
#include <cuda_runtime.h>

template <int ROWS, int COLUMNS, int DEPTH>
__global__ void product(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N,
                        int K) {
  extern __shared__ float memory[];
  float(*a)[DEPTH] = reinterpret_cast<float(*)[DEPTH]>(memory);
  float(*b)[COLUMNS] = reinterpret_cast<float(*)[COLUMNS]>(memory + ROWS * DEPTH);
  const int row0 = blockIdx.y * ROWS, column0 = blockIdx.x * COLUMNS;
  const int threads = blockDim.x;
  float sums[ROWS * COLUMNS / 256] = {};
  for (int k0 = 0; k0 < K; k0 += DEPTH) {
    for (int i = threadIdx.x; i < ROWS * DEPTH; i += threads) {
      int r = i / DEPTH, k = i % DEPTH;
      a[r][k] = row0 + r < M && k0 + k < K ? A[(row0 + r) * K + k0 + k] : 0.f;
    }
    for (int i = threadIdx.x; i < DEPTH * COLUMNS; i += threads) {
      int k = i / COLUMNS, c = i % COLUMNS;
      b[k][c] = k0 + k < K && column0 + c < N ? B[(k0 + k) * N + column0 + c] : 0.f;
    }
    __syncthreads();
    for (int k = 0; k < DEPTH; k++)
#pragma unroll
      for (int s = 0; s < ROWS * COLUMNS / 256; s++) {
        int i = s * 256 + threadIdx.x;
        sums[s] += a[i / COLUMNS][k] * b[k][i % COLUMNS];
      }
    __syncthreads();
  }
#pragma unroll
  for (int s = 0; s < ROWS * COLUMNS / 256; s++) {
    int i = s * 256 + threadIdx.x, r = row0 + i / COLUMNS, c = column0 + i % COLUMNS;
    if (r < M && c < N) C[r * N + c] = sums[s];
  }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  constexpr int R = 32, T = 64, D = 144;
  const int bytes = (R * D + D * T) * sizeof(float);
  auto kernel = product<R, T, D>;
  cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes);
  kernel<<<dim3((N + T - 1) / T, (M + R - 1) / R), 256, bytes>>>(A, B, C, M, N, K);
}
