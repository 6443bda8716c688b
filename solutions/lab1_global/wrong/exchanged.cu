// x runs along the rows of C: each lane of a warp reads another row of A, writes another of C.
// (Its names are not the model solution's: the handouts show its card.)
// verdict: partial
// loses: loads stores
// may-lose: time
// reason: sectors
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int j = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < M && j < N) {
    float sum = 0;
    for (int k = 0; k < K; k++) sum += A[i * K + k] * B[k * N + j];
    C[i * N + j] = sum;
  }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(16, 16), grid((M + 15) / 16, (N + 15) / 16);
  product<<<grid, block>>>(A, B, C, M, N, K);
}
