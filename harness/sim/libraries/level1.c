/* level1.c: cuBLAS's functions of vectors. Computed in double precision and rounded once. */
#include <math.h>
#include <string.h>

#include "harness/sim/libraries/blas.h"

struct vectors {
  double alpha, result;
};

/* Values, and how many: those of call->operands[0] are x, of [1] y, if there are two. */
#define VECTORS                                                        \
  double *x = call->operands[0].values, *y = call->operands[1].values; \
  int64_t n = call->operands[0].columns;                               \
  struct vectors *v = (struct vectors *)(uintptr_t)context;            \
  (void)x, (void)y, (void)v

static void axpy(struct call *call, const void *context) {
  VECTORS;
  for (int64_t i = 0; i < n; i++) y[i] = fma(v->alpha, x[i], y[i]);
}

static void dot(struct call *call, const void *context) {
  VECTORS;
  for (int64_t i = 0; i < n; i++) v->result += x[i] * y[i];
}

/* Scaled, so that squares neither overflow nor vanish. */
static void nrm2(struct call *call, const void *context) {
  VECTORS;
  double largest = 0, sum = 0;
  for (int64_t i = 0; i < n; i++) largest = x[i] != x[i] ? x[i] : fmax(largest, fabs(x[i]));
  for (int64_t i = 0; i < n && largest > 0 && isfinite(largest); i++)
    sum += x[i] / largest * (x[i] / largest);
  v->result = isfinite(largest) ? largest * sqrt(sum) : largest;
}

static void asum(struct call *call, const void *context) {
  VECTORS;
  for (int64_t i = 0; i < n; i++) v->result += fabs(x[i]);
}

/* Indices count from 1; the first of several counts. */
static void amax(struct call *call, const void *context) {
  VECTORS;
  int64_t best = 0;
  for (int64_t i = 1; i < n; i++)
    if (fabs(x[i]) > fabs(x[best])) best = i;
  v->result = (double)(best + 1);
}

static void amin(struct call *call, const void *context) {
  VECTORS;
  int64_t best = 0;
  for (int64_t i = 1; i < n; i++)
    if (fabs(x[i]) < fabs(x[best])) best = i;
  v->result = (double)(best + 1);
}

static void scal(struct call *call, const void *context) {
  VECTORS;
  for (int64_t i = 0; i < n; i++) x[i] *= v->alpha;
}

static void copy(struct call *call, const void *context) {
  VECTORS;
  memcpy(y, x, (size_t)n * sizeof *x);
}

static void swap(struct call *call, const void *context) {
  VECTORS;
  for (int64_t i = 0; i < n; i++) {
    double kept = x[i];
    x[i] = y[i], y[i] = kept;
  }
}

/* What a function does to its vectors. */
struct kind {
  const char *function;
  compute_function *compute;
  int use_x, use_y; /* READS, WRITES */
};

#define NONE CUDA_C_8U /* the type of what a function does not have */
struct arguments {
  struct kind kind;
  int64_t n;
  const void *alpha, *x, *y;
  cudaDataType type_alpha, type_x, type_y, type_result;
  int incx, incy;
  void *result;
};

/* An increment of 0 would stand for one element n times; it is refused, for nobody means it. */
static cublasStatus_t run(cublasHandle_t handle, const void *arguments) {
  const struct arguments *a = arguments;
  const struct kind *kind = &a->kind;
  struct call call;
  struct vectors v = {0};
  CHECK_HANDLE(handle);
  if (!type_bytes(a->type_x) || (kind->use_y && !type_bytes(a->type_y)))
    return CUBLAS_STATUS_NOT_SUPPORTED;
  call_begin(&call, handle, kind->function);
  bool reduces = kind->use_x == READS && !(kind->use_y & WRITES);
  if (reduces) CHECK(a->result);
  bool empty = a->n <= 0 || (!kind->use_y && a->incx <= 0);
  if (empty && !reduces) return CUBLAS_STATUS_SUCCESS;
  if (!empty && (a->incx == 0 || a->incy == 0)) return CUBLAS_STATUS_NOT_SUPPORTED;
  if (!reduces || handle->pointers == CUBLAS_POINTER_MODE_DEVICE)
    KEEP_IF_CAPTURED(handle, run, a, &a->alpha, NULL, a->type_alpha);
  if (empty) return call_result(&call, a->result, a->type_result, 0);
  if (a->type_alpha != NONE) TRY(call_scalar(&call, "alpha", a->alpha, a->type_alpha, &v.alpha));
  call.operations = 2.0 * (double)a->n;
  call_vector(&call, "x", a->x, a->type_x, a->n, a->incx, kind->use_x);
  if (kind->use_y) call_vector(&call, "y", a->y, a->type_y, a->n, a->incy, kind->use_y);
  TRY(call_run(&call, kind->compute, &v));
  return reduces ? call_result(&call, a->result, a->type_result, v.result) : CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasAxpyEx(cublasHandle_t handle, int n, const void *alpha,
                            cudaDataType type_alpha, const void *x, cudaDataType type_x, int incx,
                            void *y, cudaDataType type_y, int incy, cudaDataType type) {
  if (!type_bytes(type_alpha) || !type_bytes(type)) return CUBLAS_STATUS_NOT_SUPPORTED;
  return run(handle, &(struct arguments){{"cublasAxpyEx", axpy, READS, READS | WRITES},
                                         n,
                                         alpha,
                                         x,
                                         y,
                                         type_alpha,
                                         type_x,
                                         type_y,
                                         NONE,
                                         incx,
                                         incy,
                                         NULL});
}

cublasStatus_t cublasDotEx(cublasHandle_t handle, int n, const void *x, cudaDataType type_x,
                           int incx, const void *y, cudaDataType type_y, int incy, void *result,
                           cudaDataType type_result, cudaDataType type) {
  if (!type_bytes(type_result) || !type_bytes(type)) return CUBLAS_STATUS_NOT_SUPPORTED;
  return run(handle, &(struct arguments){{"cublasDotEx", dot, READS, READS},
                                         n,
                                         NULL,
                                         x,
                                         y,
                                         NONE,
                                         type_x,
                                         type_y,
                                         type_result,
                                         incx,
                                         incy,
                                         result});
}

cublasStatus_t cublasNrm2Ex(cublasHandle_t handle, int n, const void *x, cudaDataType type_x,
                            int incx, void *result, cudaDataType type_result, cudaDataType type) {
  if (!type_bytes(type_result) || !type_bytes(type)) return CUBLAS_STATUS_NOT_SUPPORTED;
  return run(handle, &(struct arguments){{"cublasNrm2Ex", nrm2, READS, 0},
                                         n,
                                         NULL,
                                         x,
                                         NULL,
                                         NONE,
                                         type_x,
                                         NONE,
                                         type_result,
                                         incx,
                                         1,
                                         result});
}

cublasStatus_t cublasScalEx(cublasHandle_t handle, int n, const void *alpha,
                            cudaDataType type_alpha, void *x, cudaDataType type_x, int incx,
                            cudaDataType type) {
  if (!type_bytes(type_alpha) || !type_bytes(type)) return CUBLAS_STATUS_NOT_SUPPORTED;
  return run(handle, &(struct arguments){{"cublasScalEx", scal, READS | WRITES, 0},
                                         n,
                                         alpha,
                                         x,
                                         NULL,
                                         type_alpha,
                                         type_x,
                                         NONE,
                                         NONE,
                                         incx,
                                         1,
                                         NULL});
}

#define REDUCES(name, compute, T, type, R, type_result)                                \
  cublasStatus_t name(cublasHandle_t handle, int n, const T *x, int incx, R *result) { \
    return run(handle, &(struct arguments){{#name, compute, READS, 0},                 \
                                           n,                                          \
                                           NULL,                                       \
                                           x,                                          \
                                           NULL,                                       \
                                           NONE,                                       \
                                           type,                                       \
                                           NONE,                                       \
                                           type_result,                                \
                                           incx,                                       \
                                           1,                                          \
                                           result});                                   \
  }
#define OF(X, x_name, T, type)                                                                   \
  cublasStatus_t cublas##X##axpy(cublasHandle_t handle, int n, const T *alpha, const T *x,       \
                                 int incx, T *y, int incy) {                                     \
    return run(handle, &(struct arguments){{"cublas" #X "axpy", axpy, READS, READS | WRITES},    \
                                           n,                                                    \
                                           alpha,                                                \
                                           x,                                                    \
                                           y,                                                    \
                                           type,                                                 \
                                           type,                                                 \
                                           type,                                                 \
                                           NONE,                                                 \
                                           incx,                                                 \
                                           incy,                                                 \
                                           NULL});                                               \
  }                                                                                              \
  cublasStatus_t cublas##X##dot(cublasHandle_t handle, int n, const T *x, int incx, const T *y,  \
                                int incy, T *result) {                                           \
    return run(handle, &(struct arguments){{"cublas" #X "dot", dot, READS, READS},               \
                                           n,                                                    \
                                           NULL,                                                 \
                                           x,                                                    \
                                           y,                                                    \
                                           NONE,                                                 \
                                           type,                                                 \
                                           type,                                                 \
                                           type,                                                 \
                                           incx,                                                 \
                                           incy,                                                 \
                                           result});                                             \
  }                                                                                              \
  cublasStatus_t cublas##X##scal(cublasHandle_t handle, int n, const T *alpha, T *x, int incx) { \
    return run(handle, &(struct arguments){{"cublas" #X "scal", scal, READS | WRITES, 0},        \
                                           n,                                                    \
                                           alpha,                                                \
                                           x,                                                    \
                                           NULL,                                                 \
                                           type,                                                 \
                                           type,                                                 \
                                           NONE,                                                 \
                                           NONE,                                                 \
                                           incx,                                                 \
                                           1,                                                    \
                                           NULL});                                               \
  }                                                                                              \
  cublasStatus_t cublas##X##copy(cublasHandle_t handle, int n, const T *x, int incx, T *y,       \
                                 int incy) {                                                     \
    return run(handle, &(struct arguments){{"cublas" #X "copy", copy, READS, WRITES},            \
                                           n,                                                    \
                                           NULL,                                                 \
                                           x,                                                    \
                                           y,                                                    \
                                           NONE,                                                 \
                                           type,                                                 \
                                           type,                                                 \
                                           NONE,                                                 \
                                           incx,                                                 \
                                           incy,                                                 \
                                           NULL});                                               \
  }                                                                                              \
  cublasStatus_t cublas##X##swap(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy) { \
    return run(handle,                                                                           \
               &(struct arguments){{"cublas" #X "swap", swap, READS | WRITES, READS | WRITES},   \
                                   n,                                                            \
                                   NULL,                                                         \
                                   x,                                                            \
                                   y,                                                            \
                                   NONE,                                                         \
                                   type,                                                         \
                                   type,                                                         \
                                   NONE,                                                         \
                                   incx,                                                         \
                                   incy,                                                         \
                                   NULL});                                                       \
  }                                                                                              \
  REDUCES(cublas##X##nrm2, nrm2, T, type, T, type)                                               \
  REDUCES(cublas##X##asum, asum, T, type, T, type)                                               \
  REDUCES(cublasI##x_name##amax, amax, T, type, int, CUDA_R_32I)                                 \
  REDUCES(cublasI##x_name##amin, amin, T, type, int, CUDA_R_32I)
OF(S, s, float, CUDA_R_32F)
OF(D, d, double, CUDA_R_64F)
