// A block of 35 x 35 is 1225 threads: the launch is refused, and nobody looks at the error.
// verdict: fail
// loses: small shapes sizes hazards loads stores time
// hazard: launch 18
// reason: 1024
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
  dim3 block(35, 35), grid((N + 34) / 35, (M + 34) / 35);
  product<<<grid, block>>>(A, B, C, M, N, K);
}
