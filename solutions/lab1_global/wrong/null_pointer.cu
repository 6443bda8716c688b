// Forgets to allocate its buffer: the kernel writes through a null pointer.
// verdict: fail
// loses: small shapes sizes hazards loads stores time
// hazard: null 11
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
  float *result = nullptr;
  size_t bytes = (size_t)M * N * sizeof(float);
  dim3 block(16, 16), grid((N + 15) / 16, (M + 15) / 16);
  product<<<grid, block>>>(A, B, result, M, N, K);
  cudaMemcpy(C, result, bytes, cudaMemcpyDeviceToDevice);
  cudaFree(result);
}
