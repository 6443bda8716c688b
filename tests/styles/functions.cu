// Device functions that are not inlined, one recursive (pairwise summation), pointers to results, a function pointer.
#include <cuda_runtime.h>

__device__ __noinline__ float term(const float *a, const float *b) { return *a * *b; }

__device__ __noinline__ float pairwise(const float *a, const float *b, int stride, int count) {
  if (count <= 8) {
    float sum = 0;
    for (int i = 0; i < count; i++) sum += term(a + i, b + (size_t)i * stride);
    return sum;
  }
  int half = count / 2;
  return pairwise(a, b, stride, half) + pairwise(a + half, b + (size_t)half * stride, stride, count - half);
}

__device__ __noinline__ void position(int N, int *row, int *column) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  *row = i / N;
  *column = i % N;
}

__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int row, column;
  position(N, &row, &column);
  if (row < M) C[row * N + column] = pairwise(A + row * K, B + column, N, K);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  product<<<(M * N + 63) / 64, 64>>>(A, B, C, M, N, K);
}
