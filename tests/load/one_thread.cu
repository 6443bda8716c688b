// Correct, and as slow as can be: one thread computes all of C.
// right: all
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  for (int row = 0; row < M; row++)
    for (int column = 0; column < N; column++) {
      float sum = 0;
      for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
      C[row * N + column] = sum;
    }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  product<<<1, 1>>>(A, B, C, M, N, K);
}
