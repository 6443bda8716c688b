// Correct and slow: a thread computes a whole row of C.
// right: all
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M) return;
  for (int column = 0; column < N; column++) {
    float sum = 0;
    for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
  }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  product<<<(M + 127) / 128, 128>>>(A, B, C, M, N, K);
}
