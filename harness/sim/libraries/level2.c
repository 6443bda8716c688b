/* level2.c: cuBLAS's functions of a matrix and vectors. Computed in double precision and rounded
 * once. */
#include "harness/sim/libraries/blas.h"

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

static cublasStatus_t run_gemv(cublasHandle_t handle, const char *function, cudaDataType type,
                               cublasOperation_t trans, int m, int n, const void *alpha,
                               const void *A, int lda, const void *x, int incx, const void *beta,
                               void *y, int incy) {
  struct call call;
  struct scalars s = {.transposed = trans != CUBLAS_OP_N};
  CHECK_HANDLE(handle);
  CHECK(is_operation(trans) && m >= 0 && n >= 0 && lda >= 1 && lda >= m && incx != 0 && incy != 0);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  call_begin(&call, handle, function);
  TRY(call_scalar(&call, "alpha", alpha, type, &s.alpha));
  TRY(call_scalar(&call, "beta", beta, type, &s.beta));
  if (s.alpha == 0 && s.beta == 1) return CUBLAS_STATUS_SUCCESS;
  call.operations = 2.0 * m * n;
  call_vector(&call, "y", y, type, s.transposed ? n : m, incy, WRITES | (s.beta != 0 ? READS : 0));
  if (s.alpha != 0) {
    call_matrix(&call, "A", A, type, m, n, lda, READS);
    call_vector(&call, "x", x, type, s.transposed ? m : n, incx, READS);
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

static cublasStatus_t run_ger(cublasHandle_t handle, const char *function, cudaDataType type, int m,
                              int n, const void *alpha, const void *x, int incx, const void *y,
                              int incy, void *A, int lda) {
  struct call call;
  struct scalars s = {0};
  CHECK_HANDLE(handle);
  CHECK(m >= 0 && n >= 0 && incx != 0 && incy != 0 && lda >= 1 && lda >= m);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  call_begin(&call, handle, function);
  TRY(call_scalar(&call, "alpha", alpha, type, &s.alpha));
  if (s.alpha == 0) return CUBLAS_STATUS_SUCCESS;
  call.operations = 2.0 * m * n;
  call_matrix(&call, "A", A, type, m, n, lda, READS | WRITES);
  call_vector(&call, "x", x, type, m, incx, READS);
  call_vector(&call, "y", y, type, n, incy, READS);
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

static cublasStatus_t run_dgmm(cublasHandle_t handle, const char *function, cudaDataType type,
                               cublasSideMode_t side, int m, int n, const void *A, int lda,
                               const void *x, int incx, void *C, int ldc) {
  struct call call;
  bool left = side == CUBLAS_SIDE_LEFT;
  CHECK_HANDLE(handle);
  CHECK((unsigned)side <= CUBLAS_SIDE_RIGHT && m >= 0 && n >= 0 && lda >= 1 && lda >= m &&
        ldc >= 1 && ldc >= m && incx != 0);
  if (m == 0 || n == 0) return CUBLAS_STATUS_SUCCESS;
  call_begin(&call, handle, function);
  call.operations = (double)m * n;
  call_matrix(&call, "C", C, type, m, n, ldc, WRITES);
  call_matrix(&call, "A", A, type, m, n, lda, READS);
  call_vector(&call, "x", x, type, left ? m : n, incx, READS);
  return call_run(&call, dgmm, &left);
}

#define OF(X, T, type)                                                                           \
  cublasStatus_t cublas##X##gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n,   \
                                 const T *alpha, const T *A, int lda, const T *x, int incx,      \
                                 const T *beta, T *y, int incy) {                                \
    return run_gemv(handle, "cublas" #X "gemv", type, trans, m, n, alpha, A, lda, x, incx, beta, \
                    y, incy);                                                                    \
  }                                                                                              \
  cublasStatus_t cublas##X##ger(cublasHandle_t handle, int m, int n, const T *alpha, const T *x, \
                                int incx, const T *y, int incy, T *A, int lda) {                 \
    return run_ger(handle, "cublas" #X "ger", type, m, n, alpha, x, incx, y, incy, A, lda);      \
  }                                                                                              \
  cublasStatus_t cublas##X##dgmm(cublasHandle_t handle, cublasSideMode_t side, int m, int n,     \
                                 const T *A, int lda, const T *x, int incx, T *C, int ldc) {     \
    return run_dgmm(handle, "cublas" #X "dgmm", type, side, m, n, A, lda, x, incx, C, ldc);      \
  }
OF(S, float, CUDA_R_32F)
OF(D, double, CUDA_R_64F)
