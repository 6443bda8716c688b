// No test whether the thread has an element: right only where 16 divides M and N.
// verdict: partial
// loses: small shapes sizes hazards
// hazard: oob 11
// reason: out of bounds
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  (void)M;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(16, 16), grid((N + 15) / 16, (M + 15) / 16);
  product<<<grid, block>>>(A, B, C, M, N, K);
}
