/* handle.c: cuBLAS's handles and their settings, statuses, and copies of vectors and matrices. */
#include <stdlib.h>

#include "harness/sim/libraries/blas.h"

cublasStatus_t cublasCreate(cublasHandle_t *handle) {
  CHECK(handle);
  if (cudaFree(NULL) != cudaSuccess) return CUBLAS_STATUS_NOT_INITIALIZED;
  *handle = calloc(1, sizeof **handle);
  if (!*handle) return CUBLAS_STATUS_ALLOC_FAILED;
  (*handle)->live = true;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy(cublasHandle_t handle) {
  CHECK_HANDLE(handle);
  handle->live = false;
  cudaDeviceSynchronize();
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version) {
  (void)handle; /* may be NULL */
  CHECK(version);
  *version = CUBLAS_VERSION;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value) {
  static const int parts[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
  CHECK(value && (unsigned)type <= PATCH_LEVEL);
  *value = parts[type];
  return CUBLAS_STATUS_SUCCESS;
}

size_t cublasGetCudartVersion(void) { return CUDART_VERSION; }

/* What a program sees of a setting: it is kept. */
#define SETTING(Name, type, member, max)                               \
  cublasStatus_t cublasSet##Name(cublasHandle_t handle, type value) {  \
    CHECK_HANDLE(handle);                                              \
    CHECK((unsigned)value <= (max));                                   \
    handle->member = value;                                            \
    return CUBLAS_STATUS_SUCCESS;                                      \
  }                                                                    \
  cublasStatus_t cublasGet##Name(cublasHandle_t handle, type *value) { \
    CHECK_HANDLE(handle);                                              \
    CHECK(value);                                                      \
    *value = handle->member;                                           \
    return CUBLAS_STATUS_SUCCESS;                                      \
  }
SETTING(PointerMode, cublasPointerMode_t, pointers, CUBLAS_POINTER_MODE_DEVICE)
SETTING(AtomicsMode, cublasAtomicsMode_t, atomics, CUBLAS_ATOMICS_ALLOWED)
SETTING(MathMode, cublasMath_t, math,
        CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION | CUBLAS_TF32_TENSOR_OP_MATH)
SETTING(SmCountTarget, int, sm_count, INT32_MAX)

cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream) {
  CHECK_HANDLE(handle);
  handle->stream = stream;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream) {
  CHECK_HANDLE(handle);
  CHECK(stream);
  *stream = handle->stream;
  return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t bytes) {
  CHECK_HANDLE(handle);
  CHECK(workspace || bytes == 0);
  return CUBLAS_STATUS_SUCCESS;
}

/* ---- statuses ---- */

#define STATUSES(X)                                                  \
  X(SUCCESS, "success")                                              \
  X(NOT_INITIALIZED, "the library was not initialized")              \
  X(ALLOC_FAILED, "the resource allocation failed")                  \
  X(INVALID_VALUE, "an invalid value was passed to the function")    \
  X(ARCH_MISMATCH, "the device lacks a feature that this needs")     \
  X(MAPPING_ERROR, "an access to device memory failed")              \
  X(EXECUTION_FAILED, "the function failed to launch on the device") \
  X(INTERNAL_ERROR, "an internal operation failed")                  \
  X(NOT_SUPPORTED, "the requested functionality is not supported")   \
  X(LICENSE_ERROR, "the license could not be checked")

const char *cublasGetStatusName(cublasStatus_t status) {
  switch (status) {
#define X(name, text)        \
  case CUBLAS_STATUS_##name: \
    return "CUBLAS_STATUS_" #name;
    STATUSES(X)
#undef X
    default:
      return "unknown cuBLAS status";
  }
}

const char *cublasGetStatusString(cublasStatus_t status) {
  switch (status) {
#define X(name, text)        \
  case CUBLAS_STATUS_##name: \
    return text;
    STATUSES(X)
#undef X
    default:
      return "unknown cuBLAS status";
  }
}

/* ---- copies ---- */

static cublasStatus_t copy(int rows, int columns, int size, const void *from, int64_t from_ld,
                           void *to, int64_t to_ld, enum cudaMemcpyKind kind, bool async,
                           cudaStream_t stream) {
  CHECK(rows >= 0 && columns >= 0 && size > 0 && from_ld > 0 && to_ld > 0);
  size_t bytes = (size_t)size, to_pitch = (size_t)to_ld * bytes,
         from_pitch = (size_t)from_ld * bytes, width = (size_t)rows * bytes;
  if (rows == 0 || columns == 0) return CUBLAS_STATUS_SUCCESS;
  cudaError_t error =
      async
          ? cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, (size_t)columns, kind, stream)
          : cudaMemcpy2D(to, to_pitch, from, from_pitch, width, (size_t)columns, kind);
  return error ? CUBLAS_STATUS_MAPPING_ERROR : CUBLAS_STATUS_SUCCESS;
}

#define COPIES(Way, kind)                                                                          \
  cublasStatus_t cublas##Way##Matrix(int rows, int columns, int size, const void *A, int lda,      \
                                     void *B, int ldb) {                                           \
    return copy(rows, columns, size, A, lda, B, ldb, kind, false, NULL);                           \
  }                                                                                                \
  cublasStatus_t cublas##Way##MatrixAsync(int rows, int columns, int size, const void *A, int lda, \
                                          void *B, int ldb, cudaStream_t stream) {                 \
    return copy(rows, columns, size, A, lda, B, ldb, kind, true, stream);                          \
  }                                                                                                \
  cublasStatus_t cublas##Way##Vector(int n, int size, const void *x, int incx, void *y,            \
                                     int incy) {                                                   \
    return copy(1, n, size, x, incx, y, incy, kind, false, NULL);                                  \
  }                                                                                                \
  cublasStatus_t cublas##Way##VectorAsync(int n, int size, const void *x, int incx, void *y,       \
                                          int incy, cudaStream_t stream) {                         \
    return copy(1, n, size, x, incx, y, incy, kind, true, stream);                                 \
  }
COPIES(Set, cudaMemcpyHostToDevice)
COPIES(Get, cudaMemcpyDeviceToHost)
