// Tiles of 64 x 64 of C, blocks of 16 x 16, and 4 x 4 elements of C a thread in the kernels with both tiles.
// verdict: pass
constexpr int K = 32, T = 64, S = 16;

__global__ void plain(const float *A, const float *B, float *C, int M, int N) {
  int row = blockIdx.y * S + threadIdx.y, column = blockIdx.x * S + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}
__global__ void with_a(const float *A, const float *B, float *C, int M, int N) {
  __shared__ float a[8][K];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 8 + y, column = blockIdx.x * 64 + x;
  a[y][x] = row < M ? A[row * K + x] : 0;
  __syncwarp();
  float s0 = 0, s1 = 0;
  for (int k = 0; k < K; k++) {
    if (column < N) s0 += a[y][k] * B[k * N + column];
    if (column + 32 < N) s1 += a[y][k] * B[k * N + column + 32];
  }
  if (row < M && column < N) C[row * N + column] = s0;
  if (row < M && column + 32 < N) C[row * N + column + 32] = s1;
}
__device__ void multiply(const float (*a)[K + 1], const float (*b)[T + 1], float (*sum)[4]) {
  int x = threadIdx.x, y = threadIdx.y;
  for (int k = 0; k < K; k++) {
    float p[4], q[4];
    for (int i = 0; i < 4; i++) p[i] = a[y + i * S][k], q[i] = b[k][x + i * S];
    for (int i = 0; i < 4; i++)
      for (int j = 0; j < 4; j++) sum[i][j] += p[i] * q[j];
  }
}
__device__ void store(float *C, int M, int N, const float (*sum)[4]) {
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      int row = blockIdx.y * T + threadIdx.y + i * S, column = blockIdx.x * T + threadIdx.x + j * S;
      if (row < M && column < N) C[row * N + column] = sum[i][j];
    }
}
__global__ void with_both(const float *A, const float *B, float *C, int M, int N) {
  __shared__ float a[T][K + 1], b[K][T + 1];
  int t = threadIdx.y * S + threadIdx.x;
  for (int i = t; i < T * K; i += S * S) {
    int r = i / K, k = i % K, row = blockIdx.y * T + r;
    a[r][k] = row < M ? A[row * K + k] : 0;
    int k2 = i / T, c = i % T, column = blockIdx.x * T + c;
    b[k2][c] = column < N ? B[k2 * N + column] : 0;
  }
  __syncthreads();
  float sum[4][4] = {};
  multiply(a, b, sum);
  store(C, M, N, sum);
}
__global__ void gram(const float *A, float *C, int M) {
  int row = blockIdx.y * S + threadIdx.y, column = blockIdx.x * S + threadIdx.x;
  if (row >= M || column >= M) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * A[column * K + k];
  C[row * M + column] = sum;
}
__global__ void gram_tiles(const float *A, float *C, int M) {
  __shared__ float a[T][K + 1], t[K][T + 1];
  for (int i = threadIdx.y * S + threadIdx.x; i < T * K; i += S * S) {
    int r = i / K, k = i % K, row = blockIdx.y * T + r, other = blockIdx.x * T + r;
    a[r][k] = row < M ? A[row * K + k] : 0;
    t[k][r] = other < M ? A[other * K + k] : 0;
  }
  __syncthreads();
  float sum[4][4] = {};
  multiply(a, t, sum);
  store(C, M, M, sum);
}

#define UP(n, t) (((n) + (t)-1) / (t))
void panel_global(const float *A, const float *B, float *C, int M, int N, int) {
  plain<<<dim3(UP(N, S), UP(M, S)), dim3(S, S)>>>(A, B, C, M, N);
}
void panel_shared_a(const float *A, const float *B, float *C, int M, int N, int) {
  with_a<<<dim3(UP(N, 64), UP(M, 8)), dim3(32, 8)>>>(A, B, C, M, N);
}
void panel_shared_ab(const float *A, const float *B, float *C, int M, int N, int) {
  with_both<<<dim3(UP(N, T), UP(M, T)), dim3(S, S)>>>(A, B, C, M, N);
}
void gram_global(const float *A, float *C, int M, int) {
  gram<<<dim3(UP(M, S), UP(M, S)), dim3(S, S)>>>(A, C, M);
}
void gram_shared(const float *A, float *C, int M, int) {
  gram_tiles<<<dim3(UP(M, T), UP(M, T)), dim3(S, S)>>>(A, C, M);
}
