// The second tile, unpadded, is read down its columns: all 32 loads of the loop meet in one bank.
// verdict: partial
// loses: tiles_banks
// may-lose: tiles_time
constexpr int TILE = 32;

__global__ void plain(const float *A, const float *B, float *C, int M, int N) {
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < TILE; k++) sum += A[row * TILE + k] * B[k * N + column];
  C[row * N + column] = sum;
}

__global__ void shared_a(const float *A, const float *B, float *C, int M, int N) {
  __shared__ float a[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  if (row < M) a[y][x] = A[row * TILE + x];
  __syncwarp();
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < TILE; k++) sum += a[y][k] * B[k * N + column];
  C[row * N + column] = sum;
}

__global__ void shared_ab(const float *A, const float *B, float *C, int M, int N) {
  __shared__ float a[TILE][TILE], b[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  a[y][x] = row < M ? A[row * TILE + x] : 0;
  b[y][x] = column < N ? B[y * N + column] : 0;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < TILE; k++) sum += a[y][k] * b[k][x];
  if (row < M && column < N) C[row * N + column] = sum;
}

__global__ void gram(const float *A, float *C, int M) {
  int row = blockIdx.y * TILE + threadIdx.y, column = blockIdx.x * TILE + threadIdx.x;
  if (row >= M || column >= M) return;
  float sum = 0;
  for (int k = 0; k < TILE; k++) sum += A[row * TILE + k] * A[column * TILE + k];
  C[row * M + column] = sum;
}

__global__ void gram_tiles(const float *A, float *C, int M) {
  __shared__ float a[TILE][TILE], t[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * TILE + y, column = blockIdx.x * TILE + x;
  int other = blockIdx.x * TILE + y;
  a[y][x] = row < M ? A[row * TILE + x] : 0;
  t[y][x] = other < M ? A[other * TILE + x] : 0;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < TILE; k++) sum += a[y][k] * t[x][k];
  if (row < M && column < M) C[row * M + column] = sum;
}

static dim3 tiles(int rows, int columns) {
  return dim3((columns + TILE - 1) / TILE, (rows + TILE - 1) / TILE);
}

void panel_global(const float *A, const float *B, float *C, int M, int N, int) {
  plain<<<tiles(M, N), dim3(TILE, TILE)>>>(A, B, C, M, N);
}
void panel_shared_a(const float *A, const float *B, float *C, int M, int N, int) {
  shared_a<<<tiles(M, N), dim3(TILE, TILE)>>>(A, B, C, M, N);
}
void panel_shared_ab(const float *A, const float *B, float *C, int M, int N, int) {
  shared_ab<<<tiles(M, N), dim3(TILE, TILE)>>>(A, B, C, M, N);
}
void gram_global(const float *A, float *C, int M, int) {
  gram<<<tiles(M, M), dim3(TILE, TILE)>>>(A, C, M);
}
void gram_shared(const float *A, float *C, int M, int) {
  gram_tiles<<<tiles(M, M), dim3(TILE, TILE)>>>(A, C, M);
}
