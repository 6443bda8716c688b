// Copies A, frees the copy, and then lets the kernel read it.
// verdict: fail
// loses: small shapes sizes hazards loads stores time
// hazard: use_after_free 11
// reason: freed
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
  cudaMalloc((void **)&copy, bytes);
  cudaMemcpy(copy, A, bytes, cudaMemcpyDeviceToDevice);
  cudaFree(copy);
  dim3 block(16, 16), grid((N + 15) / 16, (M + 15) / 16);
  product<<<grid, block>>>(copy, B, C, M, N, K);
}
