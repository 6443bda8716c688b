// Tile number t begins at t + TILE, where it begins at t * TILE.
// verdict: fail
// loses: small shapes sizes traffic operands conflicts coalesced time barriers memory
constexpr int TILE = 16;

__global__ void tiled(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float a[TILE][TILE], b[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0;
  for (int t = 0; t < (K + TILE - 1) / TILE; t++) {
    a[y][x] = row < M && t + TILE + x < K ? A[row * K + t + TILE + x] : 0;
    b[y][x] = t + TILE + y < K && column < N ? B[(t + TILE + y) * N + column] : 0;
    __syncthreads();
    for (int k = 0; k < TILE; k++) sum += a[y][k] * b[k][x];
    __syncthreads();
  }
  if (row < M && column < N) C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(TILE, TILE), grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
  tiled<<<grid, block>>>(A, B, C, M, N, K);
}
