/* level3.c: cuBLAS's other functions of matrices: sums, and triangular systems. */
#include "harness/sim/libraries/blas.h"

/* What a function is called with, as far as it has it. */
struct arguments {
  const char *function;
  cudaDataType element;
  cublasOperation_t transa, transb, trans;
  cublasSideMode_t side;
  cublasFillMode_t fill;
  cublasDiagType_t diagonal;
  int m, n, lda, ldb, ldc;
  const void *alpha, *beta, *A, *B;
  const void *C;
};

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

static cublasStatus_t run_geam(cublasHandle_t handle, const void *arguments) {
  const struct arguments *g = arguments;
  struct call call;
  struct sum s = {.transpose_a = g->transa != CUBLAS_OP_N, .transpose_b = g->transb != CUBLAS_OP_N};
  int rows_a = s.transpose_a ? g->n : g->m, rows_b = s.transpose_b ? g->n : g->m;
  CHECK_HANDLE(handle);
  CHECK((unsigned)g->transa <= CUBLAS_OP_C && (unsigned)g->transb <= CUBLAS_OP_C && g->m >= 0 &&
        g->n >= 0);
  CHECK(g->lda >= 1 && g->lda >= rows_a && g->ldb >= 1 && g->ldb >= rows_b && g->ldc >= 1 &&
        g->ldc >= g->m);
  CHECK(!(g->C == g->A && (s.transpose_a || g->lda != g->ldc)) &&
        !(g->C == g->B && (s.transpose_b || g->ldb != g->ldc)));
  if (g->m == 0 || g->n == 0) return CUBLAS_STATUS_SUCCESS;
  KEEP_IF_CAPTURED(handle, run_geam, g, &g->alpha, &g->beta, g->element);
  call_begin(&call, handle, g->function);
  TRY(call_scalar(&call, "alpha", g->alpha, g->element, &s.alpha));
  TRY(call_scalar(&call, "beta", g->beta, g->element, &s.beta));
  call.operations = 2.0 * g->m * g->n;
  call_matrix(&call, "C", g->C, g->element, g->m, g->n, g->ldc, WRITES);
  if (s.alpha != 0)
    call_matrix(&call, "A", g->A, g->element, rows_a, g->m + g->n - rows_a, g->lda, READS);
  if (s.beta != 0)
    call_matrix(&call, "B", g->B, g->element, rows_b, g->m + g->n - rows_b, g->ldb, READS);
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

static cublasStatus_t run_trsm(cublasHandle_t handle, const void *arguments) {
  const struct arguments *g = arguments;
  struct call call;
  struct system s = {.left = g->side == CUBLAS_SIDE_LEFT,
                     .lower = g->fill == CUBLAS_FILL_MODE_LOWER,
                     .transposed = g->trans != CUBLAS_OP_N,
                     .unit = g->diagonal == CUBLAS_DIAG_UNIT};
  int order = s.left ? g->m : g->n;
  CHECK_HANDLE(handle);
  CHECK((unsigned)g->side <= CUBLAS_SIDE_RIGHT && (unsigned)g->fill <= CUBLAS_FILL_MODE_UPPER &&
        (unsigned)g->trans <= CUBLAS_OP_C && (unsigned)g->diagonal <= CUBLAS_DIAG_UNIT);
  CHECK(g->m >= 0 && g->n >= 0 && g->lda >= 1 && g->lda >= order && g->ldb >= 1 && g->ldb >= g->m);
  if (g->m == 0 || g->n == 0) return CUBLAS_STATUS_SUCCESS;
  KEEP_IF_CAPTURED(handle, run_trsm, g, &g->alpha, NULL, g->element);
  call_begin(&call, handle, g->function);
  TRY(call_scalar(&call, "alpha", g->alpha, g->element, &s.alpha));
  call.operations = (double)g->m * g->n * order;
  call_matrix(&call, "B", g->B, g->element, g->m, g->n, g->ldb,
              WRITES | (s.alpha != 0 ? READS : 0));
  if (s.alpha != 0) call_matrix(&call, "A", g->A, g->element, order, order, g->lda, READS);
  return call_run(&call, trsm, &s);
}

#define OF(X, T, type)                                                                          \
  cublasStatus_t cublas##X##geam(                                                               \
      cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,  \
      const T *alpha, const T *A, int lda, const T *beta, const T *B, int ldb, T *C, int ldc) { \
    return run_geam(handle, &(struct arguments){.function = "cublas" #X "geam",                 \
                                                .element = type,                                \
                                                .transa = transa,                               \
                                                .transb = transb,                               \
                                                .m = m,                                         \
                                                .n = n,                                         \
                                                .alpha = alpha,                                 \
                                                .A = A,                                         \
                                                .lda = lda,                                     \
                                                .beta = beta,                                   \
                                                .B = B,                                         \
                                                .ldb = ldb,                                     \
                                                .C = C,                                         \
                                                .ldc = ldc});                                   \
  }                                                                                             \
  cublasStatus_t cublas##X##trsm(cublasHandle_t handle, cublasSideMode_t side,                  \
                                 cublasFillMode_t fill, cublasOperation_t trans,                \
                                 cublasDiagType_t diagonal, int m, int n, const T *alpha,       \
                                 const T *A, int lda, T *B, int ldb) {                          \
    return run_trsm(handle, &(struct arguments){.function = "cublas" #X "trsm",                 \
                                                .element = type,                                \
                                                .side = side,                                   \
                                                .fill = fill,                                   \
                                                .trans = trans,                                 \
                                                .diagonal = diagonal,                           \
                                                .m = m,                                         \
                                                .n = n,                                         \
                                                .alpha = alpha,                                 \
                                                .A = A,                                         \
                                                .lda = lda,                                     \
                                                .B = B,                                         \
                                                .ldb = ldb});                                   \
  }
OF(S, float, CUDA_R_32F)
OF(D, double, CUDA_R_64F)
