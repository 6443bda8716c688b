// Half of the work: A goes through a tile, B is read as in lab 1. What there is of the tile is right.
// least: 70
constexpr int TILE = 16;
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float a[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  float sum = 0;
  for (int start = 0; start < K; start += TILE) {
    a[y][x] = row < M && start + x < K ? A[row * K + start + x] : 0;
    __syncthreads(); // the tile is complete before anyone reads it
    for (int k = 0; k < TILE && start + k < K && column < N; k++) sum += a[y][k] * B[(start + k) * N + column];
    __syncthreads(); // everyone has read the tile before it is loaded anew
  }
  if (row < M && column < N) C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  product<<<dim3((N + TILE - 1) / TILE, (M + TILE - 1) / TILE), dim3(TILE, TILE)>>>(A, B, C, M, N, K);
}
