// Correct and slow: every product of two elements is added to C by an atomic.
// right: all
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= M || column >= N) return;
  for (int k = 0; k < K; k++) atomicAdd(&C[row * N + column], A[row * K + k] * B[k * N + column]);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  cudaMemset(C, 0, (size_t)M * N * sizeof(float));
  product<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8)>>>(A, B, C, M, N, K);
}
