// Two pairs of tiles in turn, the next one loaded while this is used: one barrier a step.
// verdict: pass
constexpr int TILE = 32;

__global__ void tiled(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float a[2][TILE][TILE], b[2][TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  auto load = [&](int pair, int start) {
    a[pair][y][x] = row < M && start + x < K ? A[row * K + start + x] : 0;
    b[pair][y][x] = start + y < K && column < N ? B[(start + y) * N + column] : 0;
  };
  float sum = 0;
  load(0, 0);
  for (int start = 0, pair = 0; start < K; start += TILE, pair ^= 1) {
    __syncthreads();  // this pair is complete, and nobody reads the other one any more
    if (start + TILE < K) load(pair ^ 1, start + TILE);
    for (int k = 0; k < TILE; k++) sum += a[pair][y][k] * b[pair][k][x];
  }
  if (row < M && column < N) C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(TILE, TILE), grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
  tiled<<<grid, block>>>(A, B, C, M, N, K);
}
