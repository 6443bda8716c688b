// Works in thousandths, "because integers are exact": every operand loses its last digits.
// verdict: fail
// loses: small shapes sizes hazards loads stores time
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && column < N) {
    long long sum = 0;
    for (int k = 0; k < K; k++)
      sum += (long long)(int)(A[row * K + k] * 1000) * (int)(B[k * N + column] * 1000);
    C[row * N + column] = sum / 1e6f;
  }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(16, 16), grid((N + 15) / 16, (M + 15) / 16);
  product<<<grid, block>>>(A, B, C, M, N, K);
}
