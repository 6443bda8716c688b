// A's columns are read from a __constant__ array, where no sectors are counted.
// most: 75
constexpr int ROWS = 16, MOST = 1000;
__constant__ float a[ROWS * MOST];
__global__ void product(const float *B, float *C, int rows, int N, int K) {
  int row = threadIdx.x, column = blockIdx.x * blockDim.y + threadIdx.y;
  if (row >= rows || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += a[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  for (int row = 0; row < M; row += ROWS) {
    int rows = M - row < ROWS ? M - row : ROWS;
    cudaMemcpyToSymbol(a, A + row * K, sizeof(float) * rows * K, 0, cudaMemcpyDeviceToDevice);
    product<<<(N + 15) / 16, dim3(ROWS, 16)>>>(B, C + row * N, rows, N, K);
  }
}
