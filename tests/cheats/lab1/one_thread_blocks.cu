// Blocks of one thread: requests of one sector, 32 of them for 32 floats.
// most: 70

__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block = K == 512 ? dim3(1, 1) : dim3(32, 8);
  product<<<dim3((N + block.x - 1) / block.x, (M + block.y - 1) / block.y), block>>>(A, B, C, M, N, K);
}
