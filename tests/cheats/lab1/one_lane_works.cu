// Full warps, of which one lane at a time works: a request of one sector by one lane is not coalesced.
// most: 70
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * 8 + threadIdx.y;
  for (int lane = 0; lane < 32; lane++) {
    int column = blockIdx.x * 32 + lane;
    if (threadIdx.x != lane || row >= M || column >= N) continue;
    float sum = 0;
    for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
  }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  product<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8)>>>(A, B, C, M, N, K);
}
