// One-dimensional blocks of 256 threads on a 32 x 32 tile: four elements a thread, 8 rows apart.
// verdict: pass
constexpr int TILE = 32, ROWS = 8;

__global__ void tiled(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float a[TILE * TILE], b[TILE * TILE];
  int x = threadIdx.x % TILE, y = threadIdx.x / TILE;
  int first_row = blockIdx.y * TILE, column = blockIdx.x * TILE + x;
  float sum[TILE / ROWS] = {0};
  for (int start = 0; start < K; start += TILE) {
    for (int j = y; j < TILE; j += ROWS) {
      int row = first_row + j;
      a[j * TILE + x] = row < M && start + x < K ? A[row * K + start + x] : 0;
      b[j * TILE + x] = start + j < K && column < N ? B[(start + j) * N + column] : 0;
    }
    __syncthreads();
    for (int k = 0; k < TILE; k++) {
      float right = b[k * TILE + x];
#pragma unroll
      for (int i = 0; i < TILE / ROWS; i++) sum[i] += a[(y + i * ROWS) * TILE + k] * right;
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < TILE / ROWS; i++) {
    int row = first_row + y + i * ROWS;
    if (row < M && column < N) C[row * N + column] = sum[i];
  }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  tiled<<<dim3((N + 31) / 32, (M + 31) / 32), 256>>>(A, B, C, M, N, K);
}
