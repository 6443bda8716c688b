// kernels.cu: the launches that bench.c times: kernels of tests/counters at sizes that take a while.
#include "../counters/kernels.cu"

#include <cuda_runtime.h>
#include <stdlib.h>

#include "bench.h"

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
