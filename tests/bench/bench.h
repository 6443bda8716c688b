/* bench.h: what bench.c (C) and kernels.cu (CUDA) share. Matrices: n x n floats on the device. */
#ifndef KIT_BENCH_H
#define KIT_BENCH_H

struct matrices {
  int n;
  float *a, *b, *c;
};

#ifdef __cplusplus
extern "C" {
#endif

void bench_allocate(int n, struct matrices *m);
void bench_free(struct matrices *m);

void bench_tiled32(const struct matrices *m);        /* c = a b, 32 x 32 tiles */
void bench_tiled16(const struct matrices *m);        /* c = a b, 16 x 16 tiles */
void bench_naive(const struct matrices *m);          /* c = a b from global memory */
void bench_transpose(const struct matrices *m);      /* c = a transposed, blocks of 32 x 8 */
void bench_tile_transpose(const struct matrices *m); /* c = a transposed, padded tile */

void bench_registers(const struct matrices *m); /* c = a b, 8 x 8 sums a thread */

#ifdef __cplusplus
}
#endif
#endif
