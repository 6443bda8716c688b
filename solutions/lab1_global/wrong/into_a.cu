// Keeps the running sum in A, "to save memory": other threads of the row read it.
// verdict: fail
// loses: small shapes sizes hazards loads stores time
// hazard: input_write 9
__global__ void product(float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && column < N) {
    for (int k = 1; k < K; k++) A[row * K] += A[row * K + k] * B[k * N + column];
    C[row * N + column] = A[row * K];
  }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(16, 16), grid((N + 15) / 16, (M + 15) / 16);
  product<<<grid, block>>>((float *)A, B, C, M, N, K);
}
