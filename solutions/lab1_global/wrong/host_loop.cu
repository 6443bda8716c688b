// No kernel: the host follows device pointers.
// verdict: fail
// loses: small shapes sizes hazards loads stores time
// hazard: crash
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) {
      float sum = 0;
      for (int k = 0; k < K; k++) sum += A[i * K + k] * B[k * N + j];
      C[i * N + j] = sum;
    }
}
