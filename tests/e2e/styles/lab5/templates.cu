// Two templates: which operand comes from a tile, and which of them it is, decided when compiling.
// verdict: pass
template <int TILE, bool SHARE_A, bool SHARE_B>
__global__ void product(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C,
                        int M, int N) {
  __shared__ float a[SHARE_A ? TILE : 1][TILE], b[SHARE_B ? TILE : 1][TILE];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  if (SHARE_A) a[y][x] = row < M ? A[row * TILE + x] : 0.0f;
  if (SHARE_B) b[y][x] = column < N ? B[y * N + column] : 0.0f;
  if (SHARE_B)
    __syncthreads();  // b comes from all warps
  else if (SHARE_A)
    __syncwarp();  // row y of a comes from this warp
  if (row >= M || column >= N) return;
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < TILE; ++k)
    sum = fmaf(SHARE_A ? a[y][k] : A[row * TILE + k], SHARE_B ? b[k][x] : B[k * N + column], sum);
  C[row * N + column] = sum;
}

template <int TILE, bool SHARE>
__global__ void gram(const float *__restrict__ A, float *__restrict__ C, int M) {
  __shared__ float rows[SHARE ? TILE : 1][TILE + 1], columns[SHARE ? TILE : 1][TILE + 1];
  const int x = threadIdx.x, y = threadIdx.y;
  const int row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x, load = blockIdx.x * TILE + y;
  if (SHARE) {
    rows[y][x] = row < M ? A[row * TILE + x] : 0.0f;
    columns[y][x] = load < M ? A[load * TILE + x] : 0.0f;
    __syncthreads();
  }
  if (row >= M || column >= M) return;
  float sum = 0.0f;
#pragma unroll
  for (int k = 0; k < TILE; ++k)
    sum += SHARE ? rows[y][k] * columns[x][k] : A[row * TILE + k] * A[column * TILE + k];
  C[row * M + column] = sum;
}

template <typename Kernel, typename... Arguments>
void launch(Kernel kernel, int rows, int columns, Arguments... arguments) {
  kernel<<<dim3((columns + 31) / 32, (rows + 31) / 32), dim3(32, 32)>>>(arguments...);
}

void panel_global(const float *A, const float *B, float *C, int M, int N, int) {
  launch(product<32, false, false>, M, N, A, B, C, M, N);
}
void panel_shared_a(const float *A, const float *B, float *C, int M, int N, int) {
  launch(product<32, true, false>, M, N, A, B, C, M, N);
}
void panel_shared_ab(const float *A, const float *B, float *C, int M, int N, int) {
  launch(product<32, true, true>, M, N, A, B, C, M, N);
}
void gram_global(const float *A, float *C, int M, int) { launch(gram<32, false>, M, M, A, C, M); }
void gram_shared(const float *A, float *C, int M, int) { launch(gram<32, true>, M, M, A, C, M); }
