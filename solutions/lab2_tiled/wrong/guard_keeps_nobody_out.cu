// "if (row > M && column > N) return": && for ||, > for >=. Threads outside of C load and store like all others.
// verdict: partial
// loses: small shapes sizes memory barriers
// may-lose: traffic operands conflicts coalesced time
// hazard: oob 16
// hazard: barrier 18
constexpr int TILE = 16;

__global__ void tiled(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float a[TILE][TILE], b[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  if (row > M && column > N) return;
  float sum = 0;
  for (int start = 0; start < K; start += TILE) {
    a[y][x] = start + x < K ? A[row * K + start + x] : 0;
    b[y][x] = start + y < K ? B[(start + y) * N + column] : 0;
    __syncthreads();
    for (int k = 0; k < TILE; k++) sum += a[y][k] * b[k][x];
    __syncthreads();
  }
  C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(TILE, TILE), grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
  tiled<<<grid, block>>>(A, B, C, M, N, K);
}
