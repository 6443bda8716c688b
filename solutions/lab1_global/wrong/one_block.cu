// Right, but one block does everything: 131 of 132 multiprocessors have nothing to do.
// verdict: partial
// loses: time
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  for (int row = threadIdx.y; row < M; row += blockDim.y)
    for (int column = threadIdx.x; column < N; column += blockDim.x) {
      float sum = 0;
      for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
      C[row * N + column] = sum;
    }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(32, 32);
  product<<<1, block>>>(A, B, C, M, N, K);
}
