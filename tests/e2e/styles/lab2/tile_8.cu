// Tiles of 8 x 8: right, but twice the global loads that 16 x 16 needs.
// verdict: partial
// loses: traffic
// may-lose: time
template <int TILE>
__global__ void tiled(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float a[TILE][TILE], b[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0;
  for (int start = 0; start < K; start += TILE) {
    a[y][x] = row < M && start + x < K ? A[row * K + start + x] : 0;
    b[y][x] = start + y < K && column < N ? B[(start + y) * N + column] : 0;
    __syncthreads();
    for (int k = 0; k < TILE; k++) sum += a[y][k] * b[k][x];
    __syncthreads();
  }
  if (row < M && column < N) C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  tiled<8><<<dim3((N + 7) / 8, (M + 7) / 8), dim3(8, 8)>>>(A, B, C, M, N, K);
}
