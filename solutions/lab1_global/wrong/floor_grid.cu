// The grid is rounded down: no thread for the last rows and columns, no block for 1 x 1 x 1.
// verdict: partial
// loses: small shapes sizes hazards
// hazard: launch 19
// reason: was written only in
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && column < N) {
    float sum = 0;
    for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
  }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(16, 16);
  dim3 grid(N / 16, M / 16);
  product<<<grid, block>>>(A, B, C, M, N, K);
}
