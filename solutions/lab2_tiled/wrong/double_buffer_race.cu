// Two pairs of tiles in turn, but no barrier between loading a pair and reading it.
// verdict: partial
// loses: barriers
// may-lose: small shapes sizes memory traffic operands conflicts coalesced time
// hazard: race 18 17
// reason: __syncthreads
constexpr int TILE = 16;

__global__ void tiled(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float a[2][TILE][TILE], b[2][TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0;
  for (int step = 0; step * TILE < K; step++) {
    int i = step % 2, start = step * TILE;
    a[i][y][x] = row < M && start + x < K ? A[row * K + start + x] : 0;
    b[i][y][x] = start + y < K && column < N ? B[(start + y) * N + column] : 0;
    for (int k = 0; k < TILE; k++) sum += a[i][y][k] * b[i][k][x];
    __syncthreads();
  }
  if (row < M && column < N) C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(TILE, TILE), grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
  tiled<<<grid, block>>>(A, B, C, M, N, K);
}
