// x runs along the rows of C: each lane of a warp reads another row of A, writes another of C.
// verdict: partial
// loses: loads stores
// may-lose: time
// reason: sectors
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  int column = blockIdx.y * blockDim.y + threadIdx.y;
  if (row < M && column < N) {
    float sum = 0;
    for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
  }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(16, 16), grid((M + 15) / 16, (N + 15) / 16);
  product<<<grid, block>>>(A, B, C, M, N, K);
}
