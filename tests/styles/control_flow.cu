// switch with fall-through, do-while, break and continue, ternaries, early return: divergent code without a barrier.
#include <cuda_runtime.h>

__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  const int i = threadIdx.x + blockIdx.x * blockDim.x;
  const int row = i % M, column = i / M;
  if (column >= N) return;
  const float *a = A + row * K, *b = B + column;
  float sum = 0.0f;
  int k = 0;
  switch (K % 4) {
    case 3: sum += a[k] * b[k * N]; k++;  // falls through
    case 2: sum += a[k] * b[k * N]; k++;  // falls through
    case 1: sum += a[k] * b[k * N]; k++;  // falls through
    default: break;
  }
  while (true) {
    if (k >= K) break;
    int n = 0;
    do {
      float x = a[k], y = b[k * N];
      k++;
      n++;
      if (x == 0.0f || y == 0.0f) continue;
      sum += (row & 1) ? x * y : y * x;
    } while (n < 4);
  }
  C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  product<<<(M * N + 95) / 96, 96>>>(A, B, C, M, N, K);
}
