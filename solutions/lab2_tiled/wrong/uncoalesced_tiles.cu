// x and y exchanged throughout: tiles are loaded by columns, 32 sectors a request, and stored so too.
// verdict: partial
// loses: conflicts coalesced
// may-lose: time
// reason: sectors
constexpr int TILE = 32;

__global__ void tiled(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float a[TILE][TILE], b[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + x, column = blockIdx.x * TILE + y;
  float sum = 0;
  for (int start = 0; start < K; start += TILE) {
    a[x][y] = row < M && start + y < K ? A[row * K + start + y] : 0;
    b[x][y] = start + x < K && column < N ? B[(start + x) * N + column] : 0;
    __syncthreads();
    for (int k = 0; k < TILE; k++) sum += a[x][k] * b[k][y];
    __syncthreads();
  }
  if (row < M && column < N) C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(TILE, TILE), grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
  tiled<<<grid, block>>>(A, B, C, M, N, K);
}
