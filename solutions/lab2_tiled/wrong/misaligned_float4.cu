// Loads A four floats at a time: a row is aligned to 16 bytes only where 4 divides K.
// verdict: partial
// loses: small shapes memory
// may-lose: sizes operands conflicts barriers
// hazard: misaligned 18
// reason: align
constexpr int TILE = 16;

__global__ void tiled(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float a[TILE][TILE], b[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y;
  int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0;
  for (int start = 0; start < K; start += TILE) {
    if (x < TILE / 4) {
      float4 four = make_float4(0, 0, 0, 0);
      if (row < M && start + 4 * x < K)
        four = *reinterpret_cast<const float4 *>(&A[row * K + start + 4 * x]);
      a[y][4 * x] = four.x;
      a[y][4 * x + 1] = four.y;
      a[y][4 * x + 2] = four.z;
      a[y][4 * x + 3] = four.w;
    }
    b[y][x] = start + y < K && column < N ? B[(start + y) * N + column] : 0;
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
