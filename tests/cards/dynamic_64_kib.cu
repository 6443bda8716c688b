// 64 KiB of dynamic shared memory, without cudaFuncSetAttribute.
// lab: lab2
// first: dynamic_64_kib.cu:31: launch refused: the block asks for 65536 bytes of shared memory
// first: Use smaller tiles
#include <cuda_runtime.h>

constexpr int TILE = 16;

__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  extern __shared__ float tiles[];
  float *a = tiles, *b = tiles + 32 * 256;
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + x;
  float sum = 0.0f;
  for (int start = 0; start < K; start += 256) {
    for (int i = 0; i < 256; i += 32) {
      a[y * 256 + i + x] = row < M && start + i + x < K ? A[row * K + start + i + x] : 0.0f;
      b[(i + y) * 32 + x] =
          start + i + y < K && column < N ? B[(start + i + y) * N + column] : 0.0f;
    }
    __syncthreads();
    for (int k = 0; k < 256; k++) sum += a[y * 256 + k] * b[k * 32 + x];
    __syncthreads();
  }
  if (row < M && column < N) C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(32, 32);
  dim3 grid((N + 31) / 32, (M + 31) / 32);
  product<<<grid, block, 65536>>>(A, B, C, M, N, K);
}
