// Warps of which two lanes work: few sectors a request, many for what they use.
// most: 70
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int thread = blockIdx.x * blockDim.x + threadIdx.x, i = thread / 32 * 2 + thread % 32 / 16;
  if (thread % 16 || i >= M * N) return;
  int row = i / N, column = i % N;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  product<<<(M * N / 2 + 8) / 8, 256>>>(A, B, C, M, N, K);
}
