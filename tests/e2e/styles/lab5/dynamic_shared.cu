// Tiles in dynamic shared memory, carved out of one array; flat indices.
// verdict: pass
#include <cstdio>
#include <cstdlib>
extern __shared__ float memory[];

__global__ void plain(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}
__global__ void with_a(const float *A, const float *B, float *C, int M, int N, int K) {
  float *own = memory + threadIdx.y * K;  // K floats, of this warp alone
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M)
    for (int k = threadIdx.x; k < K; k += blockDim.x) own[k] = A[row * K + k];
  __syncwarp();
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += own[k] * B[k * N + column];
  C[row * N + column] = sum;
}
__global__ void with_both(const float *A, const float *B, float *C, int M, int N, int K) {
  float *a = memory, *b = memory + blockDim.y * K;
  int x = threadIdx.x, y = threadIdx.y, width = blockDim.x;
  int row = blockIdx.y * blockDim.y + y, column = blockIdx.x * width + x;
  for (int k = x; k < K; k += width) a[y * K + k] = row < M ? A[row * K + k] : 0;
  for (int k = y; k < K; k += blockDim.y) b[k * width + x] = column < N ? B[k * N + column] : 0;
  __syncthreads();
  float sum = 0;
  for (int k = 0; k < K; k++) sum += a[y * K + k] * b[k * width + x];
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
  int width = blockDim.x, pitch = width + 1;
  float *a = memory, *t = memory + blockDim.y * K;
  int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * blockDim.y + y;
  for (int k = x; k < K; k += width) {
    if (row < M) a[y * K + k] = A[row * K + k];
    for (int i = y; i < width; i += blockDim.y)
      if (blockIdx.x * width + i < M) t[k * pitch + i] = A[(blockIdx.x * width + i) * K + k];
  }
  __syncthreads();
  int column = blockIdx.x * width + x;
  if (row >= M || column >= M) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += a[y * K + k] * t[k * pitch + x];
  C[row * M + column] = sum;
}

static dim3 block(32, 16);
static dim3 grid(int rows, int columns) {
  return dim3((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
}
static void check() {
  cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) fprintf(stderr, "%s\n", cudaGetErrorString(error)), exit(1);
}
void panel_global(const float *A, const float *B, float *C, int M, int N, int K) {
  plain<<<grid(M, N), block>>>(A, B, C, M, N, K);
  check();
}
void panel_shared_a(const float *A, const float *B, float *C, int M, int N, int K) {
  with_a<<<grid(M, N), block, block.y * K * sizeof(float)>>>(A, B, C, M, N, K);
  check();
}
void panel_shared_ab(const float *A, const float *B, float *C, int M, int N, int K) {
  with_both<<<grid(M, N), block, (block.y + block.x) * K * sizeof(float)>>>(A, B, C, M, N, K);
  check();
}
void gram_global(const float *A, float *C, int M, int K) {
  gram<<<grid(M, M), block>>>(A, C, M, K);
  check();
}
void gram_shared(const float *A, float *C, int M, int K) {
  gram_tiles<<<grid(M, M), block, (block.y + block.x + 1) * K * sizeof(float)>>>(A, C, M, K);
  check();
}
