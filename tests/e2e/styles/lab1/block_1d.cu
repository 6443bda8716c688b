// One-dimensional blocks and grid: thread i owns element i of C.
// verdict: pass
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= M * N) return;
  int row = i / N, column = i % N;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[i] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  product<<<(M * N + 255) / 256, 256>>>(A, B, C, M, N, K);
}
