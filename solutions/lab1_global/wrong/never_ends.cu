// The loop never advances: k++ was forgotten.
// verdict: fail
// loses: small shapes sizes hazards loads stores time
// hazard: timeout
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && column < N) {
    float sum = 0;
    int k = 0;
    while (k < K) {
      sum += A[row * K + k] * B[k * N + column];
      C[row * N + column] = sum;
    }
  }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(16, 16), grid((N + 15) / 16, (M + 15) / 16);
  product<<<grid, block>>>(A, B, C, M, N, K);
}
