// Pointers to arrays: A as rows by casts, shared tiles seen as a flat array and back, size_t indices.
#include <cuda_runtime.h>

enum { SIDE = 16 };
typedef float Tile[SIDE][SIDE];

__device__ static void load(Tile &tile, const float *from, int row0, int column0, int rows, int columns) {
  float *flat = &tile[0][0];
  size_t t = threadIdx.y * SIDE + threadIdx.x;
  size_t r = row0 + t / SIDE, c = column0 + t % SIDE;
  flat[t] = r < (size_t)rows && c < (size_t)columns ? *(from + r * columns + c) : 0.0f;
}

__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  __shared__ Tile tiles[2];
  float *const end = C + (size_t)M * N;
  float sum = 0;
  for (int k = 0; k < K; k += SIDE) {
    load(tiles[0], A, blockIdx.y * SIDE, k, M, K);
    load(tiles[1], B, k, blockIdx.x * SIDE, K, N);
    __syncthreads();
    const float(*a)[SIDE] = (const float(*)[SIDE])tiles[0];
    const float *b = (const float *)tiles[1] + threadIdx.x;
    for (const float *p = a[threadIdx.y]; p != a[threadIdx.y] + SIDE; p++, b += SIDE) sum += *p * *b;
    __syncthreads();
  }
  int row = blockIdx.y * SIDE + threadIdx.y, column = blockIdx.x * SIDE + threadIdx.x;
  float *out = C + (size_t)row * N + column;
  if (column < N && out < end) *out = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  product<<<dim3((N + SIDE - 1) / SIDE, (M + SIDE - 1) / SIDE), dim3(SIDE, SIDE)>>>(A, B, C, M, N, K);
}
