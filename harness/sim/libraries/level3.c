/* level3.c: cuBLAS's other functions of matrices: sums, and triangular systems. */
#include "harness/sim/libraries/blas.h"

struct sum {
  double alpha, beta;
  bool transpose_a, transpose_b;
};

static double element(const struct operand *o, bool transposed, int64_t row, int64_t column) {
  const double *values = o->values;
  return transposed ? values[row * o->rows + column] : values[column * o->rows + row];
}

/* C = alpha op(A) + beta op(B), what has a factor of 0 left out */
static void geam(struct call *call, const void *context) {
  const struct sum *s = context;
  const struct operand *c = &call->operands[0], *a = c + 1, *b = a + (s->alpha != 0);
  double *C = c->values;
  for (int64_t j = 0; j < c->columns; j++)
    for (int64_t i = 0; i < c->rows; i++)
      C[j * c->rows + i] = (s->alpha != 0 ? s->alpha * element(a, s->transpose_a, i, j) : 0) +
                           (s->beta != 0 ? s->beta * element(b, s->transpose_b, i, j) : 0);
}

static cublasStatus_t run_geam(cublasHandle_t handle, const char *function, cudaDataType type,
                               cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                               const void *alpha, const void *A, int lda, const void *beta,
                               const void *B, int ldb, void *C, int ldc) {
  struct call call;
  struct sum s = {.transpose_a = transa != CUBLAS_OP_N, .transpose_b = transb != CUBLAS_OP_N};
  int rows_a = s.transpose_a ? n : m, rows_b = s.transpose_b ? n : m;
  CHECK_HANDLE(handle);
  CHECK((unsigned)transa <= CUBLAS_OP_C && (unsigned)transb <= CUBLAS_OP_C && m >= 0 && n >= 0);
  CHECK(lda >= 1 && lda >= rows_a && ldb >= 1 && ldb >= rows_b && ldc >= 1 && ldc >= m);
  CHECK(!(C == A && (s.transpose_a || lda != ldc)) && !(C == B && (s.transpose_b || ldb != ldc)));
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  call_begin(&call, handle, function);
  TRY(call_scalar(&call, "alpha", alpha, type, &s.alpha));
  TRY(call_scalar(&call, "beta", beta, type, &s.beta));
  call.operations = 2.0 * m * n;
  call_matrix(&call, "C", C, type, m, n, ldc, WRITES);
  if (s.alpha != 0) call_matrix(&call, "A", A, type, rows_a, m + n - rows_a, lda, READS);
  if (s.beta != 0) call_matrix(&call, "B", B, type, rows_b, m + n - rows_b, ldb, READS);
  return call_run(&call, geam, &s);
}

struct system {
  double alpha;
  bool left, lower, transposed, unit;
};

/* X with op(A) X = alpha B, or X op(A) = alpha B, in place of B: one row of X after the other,
 * where X op(A) = B is op(A)^T X^T = B^T. */
static void trsm(struct call *call, const void *context) {
  const struct system *s = context;
  const struct operand *b = &call->operands[0], *a = b + 1;
  double *B = b->values;
  bool transposed = s->left ? s->transposed : !s->transposed;
  bool forward = s->lower != transposed;
  int64_t n = s->left ? b->rows : b->columns, others = s->left ? b->columns : b->rows;
  int64_t step = s->left ? 1 : b->rows, other_step = s->left ? b->rows : 1;
  for (int64_t i = 0; i < b->rows * b->columns; i++) B[i] *= s->alpha;
  if (s->alpha == 0) return;
  for (int64_t other = 0; other < others; other++) {
    double *x = B + other * other_step;
    for (int64_t count = 0; count < n; count++) {
      int64_t i = forward ? count : n - 1 - count, from = forward ? 0 : i + 1, to = forward ? i : n;
      double value = x[i * step];
      for (int64_t k = from; k < to; k++) value -= element(a, transposed, i, k) * x[k * step];
      x[i * step] = s->unit ? value : value / element(a, false, i, i);
    }
  }
}

static cublasStatus_t run_trsm(cublasHandle_t handle, const char *function, cudaDataType type,
                               cublasSideMode_t side, cublasFillMode_t fill,
                               cublasOperation_t trans, cublasDiagType_t diagonal, int m, int n,
                               const void *alpha, const void *A, int lda, void *B, int ldb) {
  struct call call;
  struct system s = {.left = side == CUBLAS_SIDE_LEFT,
                     .lower = fill == CUBLAS_FILL_MODE_LOWER,
                     .transposed = trans != CUBLAS_OP_N,
                     .unit = diagonal == CUBLAS_DIAG_UNIT};
  int order = s.left ? m : n;
  CHECK_HANDLE(handle);
  CHECK((unsigned)side <= CUBLAS_SIDE_RIGHT && (unsigned)fill <= CUBLAS_FILL_MODE_UPPER &&
        (unsigned)trans <= CUBLAS_OP_C && (unsigned)diagonal <= CUBLAS_DIAG_UNIT);
  CHECK(m >= 0 && n >= 0 && lda >= 1 && lda >= order && ldb >= 1 && ldb >= m);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  call_begin(&call, handle, function);
  TRY(call_scalar(&call, "alpha", alpha, type, &s.alpha));
  call.operations = (double)m * n * order;
  call_matrix(&call, "B", B, type, m, n, ldb, WRITES | (s.alpha != 0 ? READS : 0));
  if (s.alpha != 0) call_matrix(&call, "A", A, type, order, order, lda, READS);
  return call_run(&call, trsm, &s);
}

#define OF(X, T, type)                                                                             \
  cublasStatus_t cublas##X##geam(                                                                  \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,     \
      const T *alpha, const T *A, int lda, const T *beta, const T *B, int ldb, T *C, int ldc) {    \
    return run_geam(handle, "cublas" #X "geam", type, transa, transb, m, n, alpha, A, lda, beta,   \
                    B, ldb, C, ldc);                                                               \
  }                                                                                                \
  cublasStatus_t cublas##X##trsm(cublasHandle_t handle, cublasSideMode_t side,                     \
                                 cublasFillMode_t fill, cublasOperation_t trans,                   \
                                 cublasDiagType_t diagonal, int m, int n, const T *alpha,          \
                                 const T *A, int lda, T *B, int ldb) {                             \
    return run_trsm(handle, "cublas" #X "trsm", type, side, fill, trans, diagonal, m, n, alpha, A, \
                    lda, B, ldb);                                                                  \
  }
OF(S, float, CUDA_R_32F)
OF(D, double, CUDA_R_64F)
