// Blocks that reach past C do nothing at all: right only for multiples of 16.
// verdict: partial
// loses: small shapes sizes
// reason: never written
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  if (blockIdx.y * 16 + 16 > M || blockIdx.x * 16 + 16 > N) return;
  int row = blockIdx.y * 16 + threadIdx.y;
  int column = blockIdx.x * 16 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(16, 16), grid((N + 15) / 16, (M + 15) / 16);
  product<<<grid, block>>>(A, B, C, M, N, K);
}
