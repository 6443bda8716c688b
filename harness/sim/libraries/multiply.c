/* multiply.c: products of matrices on the host: by OpenBLAS, which uses the whole CPU, if the
 * machine has it, else by a loop. It is looked for when it is first needed. */
#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>

#include "harness/sim/libraries/blas.h"

enum { COLUMN_MAJOR = 102, NO_TRANSPOSE = 111, TRANSPOSE = 112 }; /* of cblas.h */
typedef void sgemm(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha,
                   const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc);
typedef void dgemm(int order, int transpose_a, int transpose_b, int m, int n, int k, double alpha,
                   const double *a, int lda, const double *b, int ldb, double beta, double *c,
                   int ldc);
static struct {
  sgemm *single;
  dgemm *twice;
} blas;

/* Its own name is a link by way of /etc, which a sandbox may not have. */
static void find_openblas(void) {
  static const char *const names[] = {
      "libopenblas.so.0", "/usr/lib/x86_64-linux-gnu/openblas-pthread/libopenblas.so.0",
      "/usr/lib/aarch64-linux-gnu/openblas-pthread/libopenblas.so.0"};
  void *library = NULL;
  for (int i = 0; i < 3 && !library; i++) library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!library) return;
  *(void **)&blas.single = dlsym(library, "cblas_sgemm");
  *(void **)&blas.twice = dlsym(library, "cblas_dgemm");
}

static bool has_openblas(void) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, find_openblas);
  return blas.single && blas.twice;
}

bool multiply_has_single(void) { return has_openblas(); }

/* Columns of C are sums of columns of op(A), a few of which stay in the cache. */
static void multiply_plainly(const struct product *p, const double *restrict A,
                             const double *restrict B, double *restrict C) {
  enum { BLOCK = 64 };
  int64_t m = p->m, n = p->n, k = p->k;
  double *restrict columns = malloc(sizeof(double) * (size_t)m * BLOCK);
  if (!columns) abort();
  for (int64_t i = 0; i < m * n; i++) C[i] = p->beta == 0 ? 0 : p->beta * C[i];
  for (int64_t from = 0; from < k; from += BLOCK) {
    int64_t to = from + BLOCK < k ? from + BLOCK : k;
    for (int64_t l = from; l < to; l++)
      for (int64_t i = 0; i < m; i++)
        columns[(l - from) * m + i] = p->alpha * (p->transpose_a ? A[i * k + l] : A[l * m + i]);
    for (int64_t j = 0; j < n; j++)
      for (int64_t l = from; l < to; l++) {
        double b = p->transpose_b ? B[l * n + j] : B[j * k + l];
        const double *restrict a = columns + (l - from) * m;
        for (int64_t i = 0; i < m; i++) C[j * m + i] += a[i] * b;
      }
  }
  free(columns);
}

void multiply(const struct product *p, const void *A, const void *B, void *C) {
  int ta = p->transpose_a ? TRANSPOSE : NO_TRANSPOSE,
      tb = p->transpose_b ? TRANSPOSE : NO_TRANSPOSE;
  int m = (int)p->m, n = (int)p->n, k = (int)p->k;
  int lda = p->transpose_a ? k : m, ldb = p->transpose_b ? n : k;
  if (lda < 1) lda = 1; /* k == 0 */
  if (ldb < 1) ldb = 1;
  if (p->single)
    blas.single(COLUMN_MAJOR, ta, tb, m, n, k, (float)p->alpha, A, lda, B, ldb, (float)p->beta, C,
                m);
  else if (has_openblas())
    blas.twice(COLUMN_MAJOR, ta, tb, m, n, k, p->alpha, A, lda, B, ldb, p->beta, C, m);
  else
    multiply_plainly(p, A, B, C);
}
