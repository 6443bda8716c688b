// A copy of A for the kernel is allocated but never filled.
// verdict: fail
// loses: small shapes sizes hazards loads stores time
// hazard: uninit 10
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
  float *copy;
  size_t bytes = (size_t)M * K * sizeof(float);
  (void)A;
  cudaMalloc((void **)&copy, bytes);
  dim3 block(16, 16), grid((N + 15) / 16, (M + 15) / 16);
  product<<<grid, block>>>(copy, B, C, M, N, K);
  cudaFree(copy);
}
