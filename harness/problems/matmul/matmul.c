/* matmul.c: the matrix-product problem: C (M x N) = A (M x K) B (K x N). */
#include "harness/problems/matmul/matmul.h"

#include <float.h>
#include <math.h>

#include "harness/problems/problem.h"

enum { M, N, K };
enum { A, B, C };

typedef KIT_ENTRY(matmul_function);

static void call(void *function, void *const *pointers, const long *dims) {
  matmul_function *matmul = (matmul_function *)function;
  matmul(pointers[A], pointers[B], pointers[C], (int)dims[M], (int)dims[N], (int)dims[K]);
}

static double work(const long *dims) { return (double)dims[M] * dims[N] * dims[K]; }

/* A sum of K products differs from the exact one by at most about K * epsilon / 2 * (sum of |a b|),
 * whatever its order (Higham, Accuracy and Stability of Numerical Algorithms, section 3.1); twice
 * that is allowed. */
static double check(void *const *arrays, const long *dims, size_t *at) {
  const float *a = arrays[A], *b = arrays[B], *c = arrays[C];
  size_t m = (size_t)dims[M], n = (size_t)dims[N], k = (size_t)dims[K];
  double worst = 0;
  *at = 0;
  for (size_t row = 0; row < m; row++) {
    for (size_t column = 0; column < n; column++) {
      double sum = 0, size = 0;
      for (size_t i = 0; i < k; i++) {
        double term = (double)a[row * k + i] * b[i * n + column];
        sum += term;
        size += fabs(term);
      }
      double error =
          fabs(c[row * n + column] - sum) / ((double)k * FLT_EPSILON * size + (double)FLT_MIN);
      if (!(error <= worst)) { /* a NaN is the worst */
        worst = isnan(error) ? INFINITY : error;
        *at = row * n + column;
      }
    }
  }
  return worst;
}

const struct problem problem_matmul = {
    .name = "matmul",
    .dim_count = 3,
    .dims = {[M] = "M", [N] = "N", [K] = "K"},
    .input_count = 2,
    .output_count = 1,
    .arrays = {[A] = {"A", sizeof(float), M, K},
               [B] = {"B", sizeof(float), K, N},
               [C] = {"C", sizeof(float), M, N}},
    .call = call,
    .check = check,
    .work = work,
};
