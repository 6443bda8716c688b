/* blas.h: what the files of cuBLAS share: handles, and calls, which fetch operands from the device,
 * compute on the host and put the results back.
 *
 * To the device a call is a piece of work in the handle's stream (device_library_call): it checks
 * the operands' bounds and whether they have been written, and finds races. The host waits for
 * nothing but results that it asks for. Matrices are column-major, as cuBLAS's.
 */
#ifndef KIT_BLAS_H
#define KIT_BLAS_H

#include <stdbool.h>
#include <stdint.h>

#include "harness/sim/device/device.h"
#include <cublas_v2.h>

struct cublasContext {
  bool live; /* destroyed ones are kept, so that a later use is noticed */
  cudaStream_t stream;
  cublasPointerMode_t pointers;
  cublasAtomicsMode_t atomics;
  cublasMath_t math;
  int sm_count;
};

/* Returns from an API function whose handle is none. */
#define CHECK_HANDLE(handle) \
  if (!(handle) || !(handle)->live) return CUBLAS_STATUS_NOT_INITIALIZED
#define CHECK(condition) \
  if (!(condition)) return CUBLAS_STATUS_INVALID_VALUE
#define TRY(call)                                     \
  do {                                                \
    cublasStatus_t tried = call;                      \
    if (tried != CUBLAS_STATUS_SUCCESS) return tried; \
  } while (0)

/* A matrix on the device, or a vector, whose elements are columns, so that ld is the increment. */
struct operand {
  const char *name;
  const void *pointer;
  cudaDataType type;
  int64_t rows, columns, ld; /* elements */
  bool reads, writes;
  bool backward; /* of a vector: a negative increment */
  void *values;  /* rows x columns without gaps: float or double, as the call computes */
};

/* A call under way; starts with call_begin. */
struct call {
  const char *function;
  cublasHandle_t handle;
  cudaStream_t stream;
  int line;
  bool goes_on; /* it has been accounted for, as far as the device is concerned */
  bool single;  /* values are float, else double */
  bool on_tensor_cores;
  double operations; /* as many as take the same time in single precision */
  double repeats;    /* of the operands at hand, in the whole call */
  struct operand operands[MAX_LIBRARY_OPERANDS];
  int count;
};
void call_begin(struct call *call, cublasHandle_t handle, const char *function);

enum { READS = 1, WRITES = 2 };
/* Add an operand; nothing where it has no elements. The increment of a vector is not 0. */
struct operand *call_matrix(struct call *call, const char *name, const void *pointer,
                            cudaDataType type, int64_t rows, int64_t columns, int64_t ld, int use);
struct operand *call_vector(struct call *call, const char *name, const void *pointer,
                            cudaDataType type, int64_t n, int64_t increment, int use);

/* Reads the operands, has `compute` change the values of those that are written, and writes them.
 * What is out of bounds is a hazard: nothing is computed, and the call succeeds, as a launch would.
 */
typedef void compute_function(struct call *call, const void *context);
cublasStatus_t call_run(struct call *call, compute_function *compute, const void *context);

/* A function of the library, by all that it was called with. In a stream that is captured it
 * becomes a node, which calls it again with a copy; then call_is_kept is true, and *status what it
 * returns. alpha, beta: members that point to scalars (or NULL), which on the host are read now. */
typedef cublasStatus_t blas_function(cublasHandle_t handle, const void *arguments);
bool call_is_kept(cublasHandle_t handle, blas_function *function, const void *arguments,
                  size_t bytes, const void *const *alpha, const void *const *beta,
                  cudaDataType type, cublasStatus_t *status);
#define KEEP_IF_CAPTURED(handle, function, arguments, alpha, beta, type)                  \
  do {                                                                                    \
    cublasStatus_t status;                                                                \
    if (call_is_kept(handle, function, arguments, sizeof *(arguments), alpha, beta, type, \
                     &status))                                                            \
      return status;                                                                      \
  } while (0)

/* An element of an operand's values. */
static inline double call_get(const struct call *call, const struct operand *o, int64_t at) {
  return call->single ? (double)((const float *)o->values)[at] : ((const double *)o->values)[at];
}
static inline void call_put(const struct call *call, const struct operand *o, int64_t at,
                            double value) {
  if (call->single)
    ((float *)o->values)[at] = (float)value;
  else
    ((double *)o->values)[at] = value;
}

/* A scalar, on the host or the device as the handle's pointer mode says. */
cublasStatus_t call_scalar(struct call *call, const char *name, const void *pointer,
                           cudaDataType type, double *value);
/* A result; on the host, it waits for the stream. */
cublasStatus_t call_result(struct call *call, void *pointer, cudaDataType type, double value);

/* Bytes of an element; 0: not a type that can be computed with. */
size_t type_bytes(cudaDataType type);
double value_load(const void *from, cudaDataType type);
void value_store(void *to, cudaDataType type, double value);

/* multiply.c: C = alpha op(A) op(B) + beta C, without gaps: op(A) is m x k. float if `single`.
 * Where beta is 0, C's old contents do not matter. */
struct product {
  bool single, transpose_a, transpose_b;
  int64_t m, n, k;
  double alpha, beta;
};
void multiply(const struct product *product, const void *A, const void *B, void *C);
/* Can it be done in single precision? If OpenBLAS is there. */
bool multiply_has_single(void);

/* gemm.c: D = alpha op(A) op(B) + beta C for matrices of these types, or for a batch of them; C and
 * D may be the same. Has checked nothing. */
struct gemm {
  const char *function;
  cublasOperation_t transa, transb;
  int64_t m, n, k, lda, ldb, ldc, ldd;
  int batch;
  cudaDataType type_a, type_b, type_c, type_d, type_scale;
  cublasComputeType_t compute;
  const void *A, *B, *C;
  void *D;
  long long stride_a, stride_b, stride_c, stride_d; /* elements */
  bool pointers; /* A to D are arrays of pointers, on the device */
  const void *alpha, *beta;
  /* For what else becomes of a result: adds operands to the call, and changes D's values. NULL:
   * none. */
  void (*prepare)(struct call *call, const void *context, int index);
  void (*finish)(struct call *call, const void *context, const struct operand *D,
                 const struct operand *more);
  const void *context;
};
/* Do the types go together? */
bool gemm_is_supported(const struct gemm *gemm);
cublasStatus_t gemm_run(struct call *call, const struct gemm *gemm);

#endif
