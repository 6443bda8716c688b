// Eight rows of A at a time are copied, device to device, into a __constant__ array, and read from there; B through a tile.
// most: 85
constexpr int ROWS = 8, MOST = 1024;
__constant__ float a[ROWS * MOST];
__global__ void product(const float *B, float *C, int rows, int N, int K) {
  __shared__ float b[8][32];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * 32 + x;
  float sum = 0;
  for (int start = 0; start < K; start += 8) {
    b[y][x] = start + y < K && column < N ? B[(start + y) * N + column] : 0;
    __syncthreads(); // the tile is complete before anyone reads it
    for (int k = 0; k < 8 && start + k < K && y < rows; k++) sum += a[y * K + start + k] * b[k][x];
    __syncthreads(); // everyone has read the tile before it is loaded anew
  }
  if (y < rows && column < N) C[y * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  for (int row = 0; row < M; row += ROWS) {
    int rows = M - row < ROWS ? M - row : ROWS;
    cudaMemcpyToSymbol(a, A + row * K, sizeof(float) * rows * K, 0, cudaMemcpyDeviceToDevice);
    product<<<(N + 31) / 32, dim3(32, ROWS)>>>(B, C + row * N, rows, N, K);
  }
}
