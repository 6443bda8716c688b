// A launch for every row of C: slow to start, but nothing is wrong with its loads and stores.
// least: 95
__global__ void product(const float *A, const float *B, float *C, int N, int K) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[k] * B[k * N + column];
  C[column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  for (int row = 0; row < M; row++) product<<<(N + 127) / 128, 128>>>(A + row * K, B, C + row * N, N, K);
}
