// Correct and slow: blocks of one thread, so each warp has one active lane.
// right: all
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y, column = blockIdx.x;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  product<<<dim3(N, M), 1>>>(A, B, C, M, N, K);
}
