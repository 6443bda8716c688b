// Tiles of 64 x 64 in C, 4 x 4 of it in the registers of each of 256 threads, 16 apart.
// verdict: pass
// may-lose: time
constexpr int WIDE = 64, DEEP = 16, EACH = 4;

__global__ void tiled(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float a[WIDE][DEEP], b[DEEP][WIDE];
  int x = threadIdx.x, y = threadIdx.y, t = y * 16 + x;
  int first_row = blockIdx.y * WIDE, first_column = blockIdx.x * WIDE;
  float sum[EACH][EACH] = {};
  for (int start = 0; start < K; start += DEEP) {
    for (int i = t; i < WIDE * DEEP; i += 256) {
      int r = i / DEEP, k = i % DEEP;
      a[r][k] = first_row + r < M && start + k < K ? A[(first_row + r) * K + start + k] : 0;
    }
    for (int i = t; i < WIDE * DEEP; i += 256) {
      int k = i / WIDE, c = i % WIDE;
      b[k][c] = start + k < K && first_column + c < N ? B[(start + k) * N + first_column + c] : 0;
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < DEEP; k++) {
      float left[EACH], right[EACH];
#pragma unroll
      for (int i = 0; i < EACH; i++) left[i] = a[y + 16 * i][k];
#pragma unroll
      for (int j = 0; j < EACH; j++) right[j] = b[k][x + 16 * j];
#pragma unroll
      for (int i = 0; i < EACH; i++)
#pragma unroll
        for (int j = 0; j < EACH; j++) sum[i][j] += left[i] * right[j];
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < EACH; i++)
#pragma unroll
    for (int j = 0; j < EACH; j++) {
      int row = first_row + y + 16 * i, column = first_column + x + 16 * j;
      if (row < M && column < N) C[row * N + column] = sum[i][j];
    }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 block(16, 16), grid((N + WIDE - 1) / WIDE, (M + WIDE - 1) / WIDE);
  tiled<<<grid, block>>>(A, B, C, M, N, K);
}
