// A launch for every row of C that reads its operands badly, each with a grid of its own, so that none is like another.
// most: 75
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K, int column) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  for (int column = 0; column < N; column++)
    product<<<(M + 63) / 64 + column, 64>>>(A, B, C, M, N, K, column);
}
