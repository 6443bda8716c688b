/* level2.c: cuBLAS's functions of a matrix and vectors. Computed in double precision and rounded
 * once. */
#include "harness/sim/libraries/blas.h"

/* What a function is called with, as far as it has it. */
struct arguments {
  const char *function;
  cudaDataType element;
  cublasOperation_t trans;
  cublasSideMode_t side;
  int m, n, lda, ldc, incx, incy;
  const void *alpha, *beta, *A, *x, *y;
  const void *C;
};

struct scalars {
  double alpha, beta;
  bool transposed;
};

static bool is_operation(cublasOperation_t trans) { return (unsigned)trans <= CUBLAS_OP_C; }

/* y = alpha op(A) x + beta y */
static void gemv(struct call *call, const void *context) {
  const struct scalars *s = context;
  const struct operand *a = &call->operands[1], *vector = &call->operands[2];
  double *y = call->operands[0].values;
  int64_t length = call->operands[0].columns;
  for (int64_t i = 0; i < length; i++) y[i] = s->beta == 0 ? 0 : s->beta * y[i];
  if (s->alpha == 0) return;
  const double *A = a->values, *x = vector->values;
  for (int64_t column = 0; column < a->columns; column++)
    for (int64_t row = 0; row < a->rows; row++) {
      double value = s->alpha * A[column * a->rows + row];
      if (s->transposed)
        y[column] += value * x[row];
      else
        y[row] += value * x[column];
    }
}

static cublasStatus_t run_gemv(cublasHandle_t handle, const void *arguments) {
  const struct arguments *g = arguments;
  struct call call;
  struct scalars s = {.transposed = g->trans != CUBLAS_OP_N};
  CHECK_HANDLE(handle);
  CHECK(is_operation(g->trans) && g->m >= 0 && g->n >= 0 && g->lda >= 1 && g->lda >= g->m &&
        g->incx != 0 && g->incy != 0);
  if (g->m == 0 || g->n == 0) return CUBLAS_STATUS_SUCCESS;
  KEEP_IF_CAPTURED(handle, run_gemv, g, &g->alpha, &g->beta, g->element);
  call_begin(&call, handle, g->function);
  TRY(call_scalar(&call, "alpha", g->alpha, g->element, &s.alpha));
  TRY(call_scalar(&call, "beta", g->beta, g->element, &s.beta));
  if (s.alpha == 0 && s.beta == 1) return CUBLAS_STATUS_SUCCESS;
  call.operations = 2.0 * g->m * g->n;
  call_vector(&call, "y", g->y, g->element, s.transposed ? g->n : g->m, g->incy,
              WRITES | (s.beta != 0 ? READS : 0));
  if (s.alpha != 0) {
    call_matrix(&call, "A", g->A, g->element, g->m, g->n, g->lda, READS);
    call_vector(&call, "x", g->x, g->element, s.transposed ? g->m : g->n, g->incx, READS);
  }
  return call_run(&call, gemv, &s);
}

/* A = A + alpha x y^T */
static void ger(struct call *call, const void *context) {
  const struct scalars *s = context;
  double *A = call->operands[0].values;
  const double *x = call->operands[1].values, *y = call->operands[2].values;
  int64_t m = call->operands[0].rows, n = call->operands[0].columns;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < m; i++) A[j * m + i] += s->alpha * x[i] * y[j];
}

static cublasStatus_t run_ger(cublasHandle_t handle, const void *arguments) {
  const struct arguments *g = arguments;
  struct call call;
  struct scalars s = {0};
  CHECK_HANDLE(handle);
  CHECK(g->m >= 0 && g->n >= 0 && g->incx != 0 && g->incy != 0 && g->lda >= 1 && g->lda >= g->m);
  if (g->m == 0 || g->n == 0) return CUBLAS_STATUS_SUCCESS;
  KEEP_IF_CAPTURED(handle, run_ger, g, &g->alpha, NULL, g->element);
  call_begin(&call, handle, g->function);
  TRY(call_scalar(&call, "alpha", g->alpha, g->element, &s.alpha));
  if (s.alpha == 0) return CUBLAS_STATUS_SUCCESS;
  call.operations = 2.0 * g->m * g->n;
  call_matrix(&call, "A", g->A, g->element, g->m, g->n, g->lda, READS | WRITES);
  call_vector(&call, "x", g->x, g->element, g->m, g->incx, READS);
  call_vector(&call, "y", g->y, g->element, g->n, g->incy, READS);
  return call_run(&call, ger, &s);
}

/* C = A diag(x), or diag(x) A */
static void dgmm(struct call *call, const void *context) {
  bool left = *(const bool *)context;
  double *C = call->operands[0].values;
  const double *A = call->operands[1].values, *x = call->operands[2].values;
  int64_t m = call->operands[0].rows, n = call->operands[0].columns;
  for (int64_t j = 0; j < n; j++)
    for (int64_t i = 0; i < m; i++) C[j * m + i] = A[j * m + i] * x[left ? i : j];
}

static cublasStatus_t run_dgmm(cublasHandle_t handle, const void *arguments) {
  const struct arguments *g = arguments;
  struct call call;
  bool left = g->side == CUBLAS_SIDE_LEFT;
  CHECK_HANDLE(handle);
  CHECK((unsigned)g->side <= CUBLAS_SIDE_RIGHT && g->m >= 0 && g->n >= 0 && g->lda >= 1 &&
        g->lda >= g->m && g->ldc >= 1 && g->ldc >= g->m && g->incx != 0);
  if (g->m == 0 || g->n == 0) return CUBLAS_STATUS_SUCCESS;
  KEEP_IF_CAPTURED(handle, run_dgmm, g, NULL, NULL, g->element);
  call_begin(&call, handle, g->function);
  call.operations = (double)g->m * g->n;
  call_matrix(&call, "C", g->C, g->element, g->m, g->n, g->ldc, WRITES);
  call_matrix(&call, "A", g->A, g->element, g->m, g->n, g->lda, READS);
  call_vector(&call, "x", g->x, g->element, left ? g->m : g->n, g->incx, READS);
  return call_run(&call, dgmm, &left);
}

#define OF(X, T, type)                                                                           \
  cublasStatus_t cublas##X##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,   \
                                 const T *alpha, const T *A, int lda, const T *x, int incx,      \
                                 const T *beta, T *y, int incy) {                                \
    return run_gemv(handle, &(struct arguments){.function = "cublas" #X "gemv",                  \
                                                .element = type,                                 \
                                                .trans = trans,                                  \
                                                .m = m,                                          \
                                                .n = n,                                          \
                                                .alpha = alpha,                                  \
                                                .A = A,                                          \
                                                .lda = lda,                                      \
                                                .x = x,                                          \
                                                .incx = incx,                                    \
                                                .beta = beta,                                    \
                                                .y = y,                                          \
                                                .incy = incy});                                  \
  }                                                                                              \
  cublasStatus_t cublas##X##ger(cublasHandle_t handle, int m, int n, const T *alpha, const T *x, \
                                int incx, const T *y, int incy, T *A, int lda) {                 \
    return run_ger(handle, &(struct arguments){.function = "cublas" #X "ger",                    \
                                               .element = type,                                  \
                                               .m = m,                                           \
                                               .n = n,                                           \
                                               .alpha = alpha,                                   \
                                               .x = x,                                           \
                                               .incx = incx,                                     \
                                               .y = y,                                           \
                                               .incy = incy,                                     \
                                               .A = A,                                           \
                                               .lda = lda});                                     \
  }                                                                                              \
  cublasStatus_t cublas##X##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n,     \
                                 const T *A, int lda, const T *x, int incx, T *C, int ldc) {     \
    return run_dgmm(handle, &(struct arguments){.function = "cublas" #X "dgmm",                  \
                                                .element = type,                                 \
                                                .side = side,                                    \
                                                .m = m,                                          \
                                                .n = n,                                          \
                                                .A = A,                                          \
                                                .lda = lda,                                      \
                                                .x = x,                                          \
                                                .incx = incx,                                    \
                                                .C = C,                                          \
                                                .ldc = ldc});                                    \
  }
OF(S, float, CUDA_R_32F)
OF(D, double, CUDA_R_64F)
