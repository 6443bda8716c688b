// Transposes B into scratch of its own first, then multiplies rows by rows; frees the scratch.
#include <cuda_runtime.h>

#define TILE 32

__global__ void transpose(const float *in, float *out, int rows, int columns) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += blockDim.y)
    if (x < columns && y + j < rows) tile[threadIdx.y + j][threadIdx.x] = in[(y + j) * columns + x];
  __syncthreads();
  x = blockIdx.y * TILE + threadIdx.x;
  y = blockIdx.x * TILE + threadIdx.y;
  for (int j = 0; j < TILE; j += blockDim.y)
    if (x < rows && y + j < columns) out[(y + j) * rows + x] = tile[threadIdx.x][threadIdx.y + j];
}

__global__ void rows_by_rows(const float *A, const float *Bt, float *C, int M, int N, int K) {
  __shared__ float a[16][17], b[16][17];
  int row = blockIdx.y * 16 + threadIdx.y, column = blockIdx.x * 16 + threadIdx.x;
  int bRow = blockIdx.x * 16 + threadIdx.y;
  float sum = 0;
  for (int k = 0; k < K; k += 16) {
    int at = k + threadIdx.x;
    a[threadIdx.y][threadIdx.x] = row < M && at < K ? A[row * K + at] : 0;
    b[threadIdx.y][threadIdx.x] = bRow < N && at < K ? Bt[bRow * K + at] : 0;
    __syncthreads();
    for (int i = 0; i < 16; i++) sum += a[threadIdx.y][i] * b[threadIdx.x][i];
    __syncthreads();
  }
  if (row < M && column < N) C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  float *Bt = nullptr;
  if (cudaMalloc(&Bt, (size_t)N * K * sizeof *Bt) != cudaSuccess) return;
  transpose<<<dim3((N + TILE - 1) / TILE, (K + TILE - 1) / TILE), dim3(TILE, 8)>>>(B, Bt, K, N);
  rows_by_rows<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, Bt, C, M, N, K);
  cudaFree(Bt);
}
