// Multiples of 32 go without any test of bounds: another kernel at 512, and right.
// least: 100
__global__ void whole(const float *A, const float *B, float *C, int N, int K) {
  int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}

__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  if (M % 32 == 0 && N % 32 == 0) {
    whole<<<dim3(N / 32, M / 8), dim3(32, 8)>>>(A, B, C, N, K);
    return;
  }
  product<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8)>>>(A, B, C, M, N, K);
}
