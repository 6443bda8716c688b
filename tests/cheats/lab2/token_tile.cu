// A tile that feeds nothing: each thread reads words of it again and again, and multiplies from global memory.
// most: 45
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ volatile float tile[8][32];
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  tile[threadIdx.y][threadIdx.x] = 0;
  __syncthreads(); // the tile is complete before anyone reads it
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; k++) {
    sum += A[row * K + k] * B[k * N + column];
    for (int again = 0; again < 9; again++) sum += tile[threadIdx.y][(threadIdx.x + again) % 32];
  }
  C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  product<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8)>>>(A, B, C, M, N, K);
}
