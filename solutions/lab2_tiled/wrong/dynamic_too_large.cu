// Asks for 64 KB of dynamic shared memory without cudaFuncSetAttribute: the launch is refused.
// verdict: fail
// loses: small shapes sizes barriers memory traffic operands conflicts coalesced time
// hazard: launch 26
// reason: shared
constexpr int TILE = 16;

__global__ void tiled(const float *A, const float *B, float *C, int M, int N, int K) {
  extern __shared__ float tiles[];
  float *a = tiles, *b = tiles + TILE * TILE;
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0;
  for (int start = 0; start < K; start += TILE) {
    a[y * TILE + x] = row < M && start + x < K ? A[row * K + start + x] : 0;
    b[y * TILE + x] = start + y < K && column < N ? B[(start + y) * N + column] : 0;
    __syncthreads();
    for (int k = 0; k < TILE; k++) sum += a[y * TILE + k] * b[k * TILE + x];
    __syncthreads();
  }
  if (row < M && column < N) C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(TILE, TILE), grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
  tiled<<<grid, block, 64 * 1024>>>(A, B, C, M, N, K);
}
