// Two blocks share each sum and add to C without an atomic: an addition can get lost.
// verdict: partial
// loses: hazards
// may-lose: small shapes sizes loads stores time
// hazard: race 15
// reason: atomic
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  int half = (K + 1) / 2;
  int first = blockIdx.z * half, end = first + half < K ? first + half : K;
  if (row < M && column < N) {
    float sum = 0;
    for (int k = first; k < end; k++) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] += sum;
  }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  cudaMemset(C, 0, (size_t)M * N * sizeof(float));
  dim3 block(32, 8), grid((N + 31) / 32, (M + 7) / 8, 2);
  product<<<grid, block>>>(A, B, C, M, N, K);
}
