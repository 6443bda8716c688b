// Tiles of 64 x 64, 64 threads of 8 x 8 elements, for the square and for sgemm.
// verdict: pass
// may-lose: sgemm_time
#define OWN_SQUARE
#define OWN_SGEMM
#include "rest.h"

enum { TILE = 64, STEP = 8, SIDE = 8, ACROSS = TILE / SIDE, THREADS = ACROSS * ACROSS };

struct Matrix {
  const float *at;
  int rows, columns;
  __device__ float operator()(int row, int column) const {
    return row < rows && column < columns ? at[row * columns + column] : 0;
  }
  __device__ float4 four(int row, int column) const {
    if (row >= rows || column >= columns) return make_float4(0, 0, 0, 0);
    return *reinterpret_cast<const float4 *>(at + row * columns + column);
  }
};

__device__ void multiply(const float (*a)[TILE + 4], const float (*b)[TILE],
                         float sum[SIDE][SIDE]) {
  int x = threadIdx.x % ACROSS * 4, y = threadIdx.x / ACROSS * 4;
#pragma unroll
  for (int k = 0; k < STEP; k++) {
    float4 a0 = *(const float4 *)&a[k][y], a1 = *(const float4 *)&a[k][y + TILE / 2];
    float4 b0 = *(const float4 *)&b[k][x], b1 = *(const float4 *)&b[k][x + TILE / 2];
    float down[SIDE] = {a0.x, a0.y, a0.z, a0.w, a1.x, a1.y, a1.z, a1.w};
    float across[SIDE] = {b0.x, b0.y, b0.z, b0.w, b1.x, b1.y, b1.z, b1.w};
#pragma unroll
    for (int i = 0; i < SIDE; i++)
#pragma unroll
      for (int j = 0; j < SIDE; j++) sum[i][j] += down[i] * across[j];
  }
}

template <bool ALIGNED>
__global__ void tiles(Matrix A, Matrix B, float *C) {
  __shared__ __align__(16) float a[STEP][TILE + 4], b[STEP][TILE];
  int t = threadIdx.x, top = blockIdx.y * TILE, left = blockIdx.x * TILE;
  float sum[SIDE][SIDE] = {};
  for (int k0 = 0; k0 < A.columns; k0 += STEP) {
    if (ALIGNED) {
      for (int i = t; i < TILE * STEP / 4; i += THREADS) {
        float4 four = A.four(top + i / 2, k0 + i % 2 * 4);
        a[i % 2 * 4][i / 2] = four.x;
        a[i % 2 * 4 + 1][i / 2] = four.y;
        a[i % 2 * 4 + 2][i / 2] = four.z;
        a[i % 2 * 4 + 3][i / 2] = four.w;
        *(float4 *)&b[i / 16][i % 16 * 4] = B.four(k0 + i / 16, left + i % 16 * 4);
      }
    } else {
      for (int i = t; i < TILE * STEP; i += THREADS) {
        a[i % STEP][i / STEP] = A(top + i / STEP, k0 + i % STEP);
        b[i / TILE][i % TILE] = B(k0 + i / TILE, left + i % TILE);
      }
    }
    __syncthreads();
    multiply(a, b, sum);
    __syncthreads();
  }
  int x = t % ACROSS * 4, y = t / ACROSS * 4;
#pragma unroll
  for (int i = 0; i < SIDE; i++)
#pragma unroll
    for (int j = 0; j < SIDE; j++) {
      int row = top + y + i % 4 + i / 4 * (TILE / 2);
      int column = left + x + j % 4 + j / 4 * (TILE / 2);
      if (row < A.rows && column < B.columns) C[row * B.columns + column] = sum[i][j];
    }
}

void sgemm_register_2d(const float *A, const float *B, float *C, int M, int N, int K) {
  tiles<false>
      <<<dim3((N + TILE - 1) / TILE, (M + TILE - 1) / TILE), THREADS>>>({A, M, K}, {B, K, N}, C);
}
void sgemm(const float *A, const float *B, float *C, int M, int N, int K) {
  dim3 grid((N + TILE - 1) / TILE, (M + TILE - 1) / TILE);
  if (N % 4 || K % 4)
    tiles<false><<<grid, THREADS>>>({A, M, K}, {B, K, N}, C);
  else
    tiles<true><<<grid, THREADS>>>({A, M, K}, {B, K, N}, C);
}
