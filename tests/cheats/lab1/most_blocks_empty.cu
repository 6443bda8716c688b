// Nine blocks of ten return at once, so that a block drawn by chance has done nothing; the others read along columns.
// most: 70
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  if (blockIdx.z) return;
  int column = blockIdx.x * 16 + threadIdx.x / 16, row = blockIdx.y * 16 + threadIdx.x % 16;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  product<<<dim3((N + 15) / 16, (M + 15) / 16, 10), 256>>>(A, B, C, M, N, K);
}
