// Works in a large array of its own, most of which it never touches, and asks for more than there is before that.
// least: 95
__global__ void product(const float *A, const float *B, float *scratch, int M, int N, int K) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  scratch[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  static float *scratch;
  if (!scratch && cudaMalloc(&scratch, (size_t)1 << 38) != cudaSuccess) {
    cudaGetLastError();
    cudaMalloc(&scratch, 128 << 20);
    cudaMemset(scratch, 0, 128 << 20);
  }
  product<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8)>>>(A, B, scratch, M, N, K);
  cudaMemcpy(C, scratch, (size_t)M * N * sizeof(float), cudaMemcpyDeviceToDevice);
}
