// kernels.cu: the launches that bench.c times: kernels of tests/counters and one with register
// tiles, at sizes that take a while.
#include "../counters/kernels.cu"

#include <cuda_runtime.h>
#include <stdlib.h>

#include "bench.h"

// Product of tiles of 64 x 64 in steps of 8 along k, by blocks of 8 x 8 threads: each keeps 8 x 8
// sums in registers. n is a multiple of 64.
__global__ void mm_registers(const float *A, const float *B, float *C, int n) {
  enum { TILE = 64, STEP = 8, OWN = 8 };
  __shared__ float a[TILE][STEP], b[STEP][TILE];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * TILE, column = blockIdx.x * TILE;
  float sum[OWN][OWN] = {};
  for (int k = 0; k < n; k += STEP) {
    for (int i = 0; i < TILE; i += 8) a[i + ty][tx] = A[(row + i + ty) * n + k + tx];
    for (int i = 0; i < TILE; i += 8) b[ty][i + tx] = B[(k + ty) * n + column + i + tx];
    __syncthreads();
    for (int s = 0; s < STEP; s++) {
      float x[OWN], y[OWN];
      for (int i = 0; i < OWN; i++) x[i] = a[ty * OWN + i][s], y[i] = b[s][tx * OWN + i];
      for (int i = 0; i < OWN; i++)
        for (int j = 0; j < OWN; j++) sum[i][j] += x[i] * y[j];
    }
    __syncthreads();
  }
  for (int i = 0; i < OWN; i++)
    for (int j = 0; j < OWN; j++)
      C[(row + ty * OWN + i) * n + column + tx * OWN + j] = sum[i][j];
}

static float *buffer(int n) {
  float *memory;
  size_t bytes = sizeof(float) * n * n;
  if (cudaMalloc(&memory, bytes) || cudaMemset(memory, 0, bytes)) abort();
  return memory;
}

extern "C" void bench_allocate(int n, struct matrices *m) {
  m->n = n, m->a = buffer(n), m->b = buffer(n), m->c = buffer(n);
}

extern "C" void bench_free(struct matrices *m) { cudaFree(m->a), cudaFree(m->b), cudaFree(m->c); }

extern "C" void bench_tiled32(const struct matrices *m) {
  mm_tiled<32><<<dim3(m->n / 32, m->n / 32), dim3(32, 32)>>>(m->a, m->b, m->c, m->n);
}
extern "C" void bench_tiled16(const struct matrices *m) {
  mm_tiled<16><<<dim3(m->n / 16, m->n / 16), dim3(16, 16)>>>(m->a, m->b, m->c, m->n);
}
extern "C" void bench_naive(const struct matrices *m) {
  mm_naive<<<dim3(m->n / 32, m->n / 32), dim3(32, 32)>>>(m->a, m->b, m->c, m->n);
}
extern "C" void bench_transpose(const struct matrices *m) {
  tr_naive<<<dim3(m->n / 32, m->n / 8), dim3(32, 8)>>>(m->a, m->c, m->n);
}
extern "C" void bench_tile_transpose(const struct matrices *m) {
  tr_smem<1><<<dim3(m->n / 32, m->n / 32), dim3(32, 32)>>>(m->a, m->c, m->n);
}
extern "C" void bench_registers(const struct matrices *m) {
  mm_registers<<<dim3(m->n / 64, m->n / 64), dim3(8, 8)>>>(m->a, m->b, m->c, m->n);
}
