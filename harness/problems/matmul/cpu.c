/* cpu.c: C = A B on a CPU: as it is first written, as it should be written, and a library's. */
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "harness/problems/cpu_code.h"

extern const struct problem problem_matmul;
const struct problem *const cpu_problem = &problem_matmul;

enum { DIM_M, DIM_N, DIM_K }; /* as in problem_matmul */

double cpu_work(const long *dims) {
  return 2.0 * (double)dims[DIM_M] * (double)dims[DIM_N] * (double)dims[DIM_K];
}

/* Row times column: B is read down its columns, a cache line for every element. */
static void plain(const long *dims, void *const *arrays) {
  const float *A = arrays[0], *B = arrays[1];
  float *C = arrays[2];
  long M = dims[DIM_M], N = dims[DIM_N], K = dims[DIM_K];
  for (long i = 0; i < M; i++) {
    for (long j = 0; j < N; j++) {
      float sum = 0.0f;
      for (long k = 0; k < K; k++) sum += A[i * K + k] * B[k * N + j];
      C[i * N + j] = sum;
    }
  }
}

/* The two inner loops exchanged: all three matrices are read along their rows, which the compiler
 * turns into vector instructions; rows of C are shared out among the cores. */
static void rows(const long *dims, void *const *arrays) {
  const float *A = arrays[0], *B = arrays[1];
  float *C = arrays[2];
  long M = dims[DIM_M], N = dims[DIM_N], K = dims[DIM_K];
#pragma omp parallel for schedule(static)
  for (long i = 0; i < M; i++) {
    float *restrict c = C + i * N;
    memset(c, 0, (size_t)N * sizeof *c);
    for (long k = 0; k < K; k++) {
      const float a = A[i * K + k], *restrict b = B + k * N;
      for (long j = 0; j < N; j++) c[j] += a * b[j];
    }
  }
}

/* --- OpenBLAS, if the machine has it: looked for when it is needed, so that it may be installed at
 * any time. */

enum { ROW_MAJOR = 101, NO_TRANSPOSE = 111 }; /* of cblas.h */
typedef void sgemm(int order, int transpose_a, int transpose_b, int m, int n, int k, float alpha,
                   const float *a, int lda, const float *b, int ldb, float beta, float *c, int ldc);

static void *find(const char *symbol) {
  void *library = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  return library ? dlsym(library, symbol) : NULL;
}

static const char *openblas_missing(void) {
  return find("cblas_sgemm") ? NULL : "OpenBLAS is not installed (./setup --all installs it)";
}

static void openblas(const long *dims, void *const *arrays) {
  sgemm *multiply;
  *(void **)&multiply = find("cblas_sgemm");
  int M = (int)dims[DIM_M], N = (int)dims[DIM_N], K = (int)dims[DIM_K];
  multiply(ROW_MAJOR, NO_TRANSPOSE, NO_TRANSPOSE, M, N, K, 1.0f, arrays[0], K, arrays[1], N, 0.0f,
           arrays[2], N);
}

/* Of "OpenBLAS 0.3.21 NO_LAPACKE ...". */
const char *cpu_library(void) {
  static char name[64];
  const char *(*config)(void);
  *(void **)&config = find("openblas_get_config");
  if (!config || sscanf(config(), "OpenBLAS %40s", name) != 1) return NULL;
  memmove(name + 9, name, strlen(name) + 1);
  return memcpy(name, "OpenBLAS ", 9);
}

const struct cpu_code cpu_codes[] = {
    {"plain", "i-j-k loop, 1 thread", 0.5e9, plain},
    {"rows", "i-k-j loop, all cores", 4e9, rows},
    {"openblas", "OpenBLAS, all cores", 20e9, openblas, openblas_missing},
    {0}};
