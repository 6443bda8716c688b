// A grid of threads for bytes instead of elements: three blocks in four have nothing to do.
// least: 95
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  product<<<dim3((N * 2 + 31) / 32, (M * 2 + 7) / 8), dim3(32, 8)>>>(A, B, C, M, N, K);
}
