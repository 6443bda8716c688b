/* cublas_api.h: cuBLAS's functions and types (cuBLAS documentation, "Using the cuBLAS API"), those
 * that harness/sim/libraries has; the others are named where a program is compiled. */
#ifndef KIT_CUBLAS_API_H
#define KIT_CUBLAS_API_H
#define CUBLAS_API_H_

#pragma GCC system_header

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include "cuComplex.h"
#include "cuda_runtime.h"
#include "library_types.h"
#ifdef __cplusplus
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#endif

#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 4
#define CUBLAS_VER_PATCH 5
#define CUBLAS_VERSION (CUBLAS_VER_MAJOR * 10000 + CUBLAS_VER_MINOR * 100 + CUBLAS_VER_PATCH)

typedef enum {
  CUBLAS_STATUS_SUCCESS = 0,
  CUBLAS_STATUS_NOT_INITIALIZED = 1,
  CUBLAS_STATUS_ALLOC_FAILED = 3,
  CUBLAS_STATUS_INVALID_VALUE = 7,
  CUBLAS_STATUS_ARCH_MISMATCH = 8,
  CUBLAS_STATUS_MAPPING_ERROR = 11,
  CUBLAS_STATUS_EXECUTION_FAILED = 13,
  CUBLAS_STATUS_INTERNAL_ERROR = 14,
  CUBLAS_STATUS_NOT_SUPPORTED = 15,
  CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;
typedef enum {
  CUBLAS_FILL_MODE_LOWER,
  CUBLAS_FILL_MODE_UPPER,
  CUBLAS_FILL_MODE_FULL
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT, CUBLAS_DIAG_UNIT } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT } cublasSideMode_t;
typedef enum {
  CUBLAS_OP_N,
  CUBLAS_OP_T,
  CUBLAS_OP_C,
  CUBLAS_OP_HERMITAN = CUBLAS_OP_C,
  CUBLAS_OP_CONJG
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST, CUBLAS_POINTER_MODE_DEVICE } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED } cublasAtomicsMode_t;
typedef enum {
  CUBLAS_DEFAULT_MATH = 0,
  CUBLAS_TENSOR_OP_MATH = 1,
  CUBLAS_PEDANTIC_MATH = 2,
  CUBLAS_TF32_TENSOR_OP_MATH = 3,
  CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef enum {
  CUBLAS_COMPUTE_16F = 64,
  CUBLAS_COMPUTE_16F_PEDANTIC = 65,
  CUBLAS_COMPUTE_32F = 68,
  CUBLAS_COMPUTE_32F_PEDANTIC = 69,
  CUBLAS_COMPUTE_64F = 70,
  CUBLAS_COMPUTE_64F_PEDANTIC = 71,
  CUBLAS_COMPUTE_32I = 72,
  CUBLAS_COMPUTE_32I_PEDANTIC = 73,
  CUBLAS_COMPUTE_32F_FAST_16F = 74,
  CUBLAS_COMPUTE_32F_FAST_16BF = 75,
  CUBLAS_COMPUTE_32F_FAST_TF32 = 77
} cublasComputeType_t;
/* All algorithms are one here. */
typedef enum {
  CUBLAS_GEMM_DFALT = -1,
  CUBLAS_GEMM_DEFAULT = -1,
  CUBLAS_GEMM_ALGO0 = 0,
  CUBLAS_GEMM_ALGO1,
  CUBLAS_GEMM_ALGO2,
  CUBLAS_GEMM_ALGO3,
  CUBLAS_GEMM_ALGO4,
  CUBLAS_GEMM_ALGO5,
  CUBLAS_GEMM_ALGO6,
  CUBLAS_GEMM_ALGO7,
  CUBLAS_GEMM_ALGO23 = 23,
  CUBLAS_GEMM_DFALT_TENSOR_OP = 99,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
  CUBLAS_GEMM_ALGO0_TENSOR_OP = 100,
  CUBLAS_GEMM_ALGO1_TENSOR_OP,
  CUBLAS_GEMM_ALGO2_TENSOR_OP,
  CUBLAS_GEMM_ALGO3_TENSOR_OP,
  CUBLAS_GEMM_ALGO4_TENSOR_OP,
  CUBLAS_GEMM_ALGO15_TENSOR_OP = 115
} cublasGemmAlgo_t;
typedef cudaDataType cublasDataType_t;
typedef struct cublasContext *cublasHandle_t;

/* A function: its name, the names of its arguments in parentheses, its arguments. In CUDA C++ it
 * knows the line of its call, as kit_host.h's do. */
#if defined(__CUDA__)
#define KIT_BLAS(name, names, ...)                                      \
  extern "C" cublasStatus_t name(__VA_ARGS__);                          \
  extern "C" cublasStatus_t kit_##name(__VA_ARGS__) __asm__(#name);     \
  __kit_inline__ cublasStatus_t name(__VA_ARGS__, int line = __builtin_LINE(), \
                                     const char *file = __builtin_FILE()) \
      __attribute__((enable_if(line >= 0, "always"))) {                 \
    kit_place here(line, file);                                         \
    return kit_##name names;                                            \
  }
#elif defined(__cplusplus)
#define KIT_BLAS(name, names, ...) extern "C" cublasStatus_t name(__VA_ARGS__);
#else
#define KIT_BLAS(name, names, ...) cublasStatus_t name(__VA_ARGS__);
#endif

#ifdef __cplusplus
extern "C" {
#endif
/* The handle */
cublasStatus_t cublasCreate(cublasHandle_t *handle);
cublasStatus_t cublasDestroy(cublasHandle_t handle);
cublasStatus_t cublasGetVersion(cublasHandle_t handle, int *version);
cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value);
size_t cublasGetCudartVersion(void);
const char *cublasGetStatusName(cublasStatus_t status);
const char *cublasGetStatusString(cublasStatus_t status);
cublasStatus_t cublasSetStream(cublasHandle_t handle, cudaStream_t stream);
cublasStatus_t cublasGetStream(cublasHandle_t handle, cudaStream_t *stream);
cublasStatus_t cublasSetWorkspace(cublasHandle_t handle, void *workspace, size_t bytes);
cublasStatus_t cublasSetPointerMode(cublasHandle_t handle, cublasPointerMode_t mode);
cublasStatus_t cublasGetPointerMode(cublasHandle_t handle, cublasPointerMode_t *mode);
cublasStatus_t cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
cublasStatus_t cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode);
cublasStatus_t cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
cublasStatus_t cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
cublasStatus_t cublasSetSmCountTarget(cublasHandle_t handle, int count);
cublasStatus_t cublasGetSmCountTarget(cublasHandle_t handle, int *count);
#ifdef __cplusplus
}
#endif

/* Copies between host and device: columns of a matrix, elements of a vector */
KIT_BLAS(cublasSetVector, (n, size, x, incx, y, incy), int n, int size, const void *x, int incx,
         void *y, int incy)
KIT_BLAS(cublasGetVector, (n, size, x, incx, y, incy), int n, int size, const void *x, int incx,
         void *y, int incy)
KIT_BLAS(cublasSetMatrix, (rows, cols, size, A, lda, B, ldb), int rows, int cols, int size,
         const void *A, int lda, void *B, int ldb)
KIT_BLAS(cublasGetMatrix, (rows, cols, size, A, lda, B, ldb), int rows, int cols, int size,
         const void *A, int lda, void *B, int ldb)
KIT_BLAS(cublasSetVectorAsync, (n, size, x, incx, y, incy, stream), int n, int size, const void *x,
         int incx, void *y, int incy, cudaStream_t stream)
KIT_BLAS(cublasGetVectorAsync, (n, size, x, incx, y, incy, stream), int n, int size, const void *x,
         int incx, void *y, int incy, cudaStream_t stream)
KIT_BLAS(cublasSetMatrixAsync, (rows, cols, size, A, lda, B, ldb, stream), int rows, int cols,
         int size, const void *A, int lda, void *B, int ldb, cudaStream_t stream)
KIT_BLAS(cublasGetMatrixAsync, (rows, cols, size, A, lda, B, ldb, stream), int rows, int cols,
         int size, const void *A, int lda, void *B, int ldb, cudaStream_t stream)

/* Those of float (S) and of double (D) */
#define KIT_BLAS_OF(X, T, XX)                                                                      \
  KIT_BLAS(cublas##X##axpy, (handle, n, alpha, x, incx, y, incy), cublasHandle_t handle, int n,    \
           const T *alpha, const T *x, int incx, T *y, int incy)                                   \
  KIT_BLAS(cublas##X##dot, (handle, n, x, incx, y, incy, result), cublasHandle_t handle, int n,    \
           const T *x, int incx, const T *y, int incy, T *result)                                  \
  KIT_BLAS(cublas##X##nrm2, (handle, n, x, incx, result), cublasHandle_t handle, int n,            \
           const T *x, int incx, T *result)                                                        \
  KIT_BLAS(cublas##X##asum, (handle, n, x, incx, result), cublasHandle_t handle, int n,            \
           const T *x, int incx, T *result)                                                        \
  KIT_BLAS(cublasI##XX##amax, (handle, n, x, incx, result), cublasHandle_t handle, int n,          \
           const T *x, int incx, int *result)                                                      \
  KIT_BLAS(cublasI##XX##amin, (handle, n, x, incx, result), cublasHandle_t handle, int n,          \
           const T *x, int incx, int *result)                                                      \
  KIT_BLAS(cublas##X##scal, (handle, n, alpha, x, incx), cublasHandle_t handle, int n,             \
           const T *alpha, T *x, int incx)                                                         \
  KIT_BLAS(cublas##X##copy, (handle, n, x, incx, y, incy), cublasHandle_t handle, int n,           \
           const T *x, int incx, T *y, int incy)                                                   \
  KIT_BLAS(cublas##X##swap, (handle, n, x, incx, y, incy), cublasHandle_t handle, int n, T *x,     \
           int incx, T *y, int incy)                                                               \
  KIT_BLAS(cublas##X##gemv, (handle, trans, m, n, alpha, A, lda, x, incx, beta, y, incy),          \
           cublasHandle_t handle, cublasOperation_t trans, int m, int n, const T *alpha,           \
           const T *A, int lda, const T *x, int incx, const T *beta, T *y, int incy)               \
  KIT_BLAS(cublas##X##ger, (handle, m, n, alpha, x, incx, y, incy, A, lda), cublasHandle_t handle, \
           int m, int n, const T *alpha, const T *x, int incx, const T *y, int incy, T *A,         \
           int lda)                                                                                \
  KIT_BLAS(cublas##X##gemm,                                                                        \
           (handle, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc),                 \
           cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,       \
           int n, int k, const T *alpha, const T *A, int lda, const T *B, int ldb, const T *beta,  \
           T *C, int ldc)                                                                          \
  KIT_BLAS(cublas##X##gemmStridedBatched,                                                          \
           (handle, transa, transb, m, n, k, alpha, A, lda, stride_a, B, ldb, stride_b, beta, C,   \
            ldc, stride_c, batch),                                                                 \
           cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,       \
           int n, int k, const T *alpha, const T *A, int lda, long long stride_a, const T *B,      \
           int ldb, long long stride_b, const T *beta, T *C, int ldc, long long stride_c,          \
           int batch)                                                                              \
  KIT_BLAS(cublas##X##gemmBatched,                                                                 \
           (handle, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc, batch),          \
           cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,       \
           int n, int k, const T *alpha, const T *const A[], int lda, const T *const B[], int ldb, \
           const T *beta, T *const C[], int ldc, int batch)                                        \
  KIT_BLAS(cublas##X##geam, (handle, transa, transb, m, n, alpha, A, lda, beta, B, ldb, C, ldc),   \
           cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,       \
           int n, const T *alpha, const T *A, int lda, const T *beta, const T *B, int ldb, T *C,   \
           int ldc)                                                                                \
  KIT_BLAS(cublas##X##dgmm, (handle, side, m, n, A, lda, x, incx, C, ldc), cublasHandle_t handle,  \
           cublasSideMode_t side, int m, int n, const T *A, int lda, const T *x, int incx, T *C,   \
           int ldc)                                                                                \
  KIT_BLAS(cublas##X##trsm, (handle, side, fill, trans, diagonal, m, n, alpha, A, lda, B, ldb),    \
           cublasHandle_t handle, cublasSideMode_t side, cublasFillMode_t fill,                    \
           cublasOperation_t trans, cublasDiagType_t diagonal, int m, int n, const T *alpha,       \
           const T *A, int lda, T *B, int ldb)
KIT_BLAS_OF(S, float, s)
KIT_BLAS_OF(D, double, d)
#undef KIT_BLAS_OF

/* Those whose arguments say of what type they are */
KIT_BLAS(cublasGemmEx,
         (handle, transa, transb, m, n, k, alpha, A, type_a, lda, B, type_b, ldb, beta, C, type_c,
          ldc, compute, algorithm),
         cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
         int k, const void *alpha, const void *A, cudaDataType type_a, int lda, const void *B,
         cudaDataType type_b, int ldb, const void *beta, void *C, cudaDataType type_c, int ldc,
         cublasComputeType_t compute, cublasGemmAlgo_t algorithm)
KIT_BLAS(cublasGemmStridedBatchedEx,
         (handle, transa, transb, m, n, k, alpha, A, type_a, lda, stride_a, B, type_b, ldb,
          stride_b, beta, C, type_c, ldc, stride_c, batch, compute, algorithm),
         cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
         int k, const void *alpha, const void *A, cudaDataType type_a, int lda, long long stride_a,
         const void *B, cudaDataType type_b, int ldb, long long stride_b, const void *beta, void *C,
         cudaDataType type_c, int ldc, long long stride_c, int batch, cublasComputeType_t compute,
         cublasGemmAlgo_t algorithm)
KIT_BLAS(cublasGemmBatchedEx,
         (handle, transa, transb, m, n, k, alpha, A, type_a, lda, B, type_b, ldb, beta, C, type_c,
          ldc, batch, compute, algorithm),
         cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
         int k, const void *alpha, const void *const A[], cudaDataType type_a, int lda,
         const void *const B[], cudaDataType type_b, int ldb, const void *beta, void *const C[],
         cudaDataType type_c, int ldc, int batch, cublasComputeType_t compute,
         cublasGemmAlgo_t algorithm)
KIT_BLAS(cublasSgemmEx,
         (handle, transa, transb, m, n, k, alpha, A, type_a, lda, B, type_b, ldb, beta, C, type_c,
          ldc),
         cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
         int k, const float *alpha, const void *A, cudaDataType type_a, int lda, const void *B,
         cudaDataType type_b, int ldb, const float *beta, void *C, cudaDataType type_c, int ldc)
#ifdef __cplusplus
KIT_BLAS(cublasHgemm, (handle, transa, transb, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc),
         cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
         int k, const __half *alpha, const __half *A, int lda, const __half *B, int ldb,
         const __half *beta, __half *C, int ldc)
KIT_BLAS(cublasHgemmStridedBatched,
         (handle, transa, transb, m, n, k, alpha, A, lda, stride_a, B, ldb, stride_b, beta, C, ldc,
          stride_c, batch),
         cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
         int k, const __half *alpha, const __half *A, int lda, long long stride_a, const __half *B,
         int ldb, long long stride_b, const __half *beta, __half *C, int ldc, long long stride_c,
         int batch)
#endif
KIT_BLAS(cublasAxpyEx,
         (handle, n, alpha, type_alpha, x, type_x, incx, y, type_y, incy, type),
         cublasHandle_t handle, int n, const void *alpha, cudaDataType type_alpha, const void *x,
         cudaDataType type_x, int incx, void *y, cudaDataType type_y, int incy, cudaDataType type)
KIT_BLAS(cublasDotEx, (handle, n, x, type_x, incx, y, type_y, incy, result, type_result, type),
         cublasHandle_t handle, int n, const void *x, cudaDataType type_x, int incx, const void *y,
         cudaDataType type_y, int incy, void *result, cudaDataType type_result, cudaDataType type)
KIT_BLAS(cublasNrm2Ex, (handle, n, x, type_x, incx, result, type_result, type),
         cublasHandle_t handle, int n, const void *x, cudaDataType type_x, int incx, void *result,
         cudaDataType type_result, cudaDataType type)
KIT_BLAS(cublasScalEx, (handle, n, alpha, type_alpha, x, type_x, incx, type), cublasHandle_t handle,
         int n, const void *alpha, cudaDataType type_alpha, void *x, cudaDataType type_x, int incx,
         cudaDataType type)
#undef KIT_BLAS

/* As before cuBLAS 11, with the type of the sums as a cudaDataType */
#ifdef __cplusplus
#ifdef __CUDA__
#define KIT_WITH_PLACE , int line = __builtin_LINE(), const char *file = __builtin_FILE()
#define KIT_FORWARD(name, ...) \
  kit_place here(line, file);  \
  return kit_##name(__VA_ARGS__)
#else
#define KIT_WITH_PLACE
#define KIT_FORWARD(name, ...) return name(__VA_ARGS__)
#endif
static inline cublasComputeType_t kit_compute_type(cudaDataType type) {
  switch (type) {
    case CUDA_R_16F:
      return CUBLAS_COMPUTE_16F;
    case CUDA_R_32F:
      return CUBLAS_COMPUTE_32F;
    case CUDA_R_64F:
      return CUBLAS_COMPUTE_64F;
    case CUDA_R_32I:
      return CUBLAS_COMPUTE_32I;
    default:
      return (cublasComputeType_t)0; /* CUBLAS_STATUS_NOT_SUPPORTED */
  }
}
static inline cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa,
                                          cublasOperation_t transb, int m, int n, int k,
                                          const void *alpha, const void *A, cudaDataType type_a,
                                          int lda, const void *B, cudaDataType type_b, int ldb,
                                          const void *beta, void *C, cudaDataType type_c, int ldc,
                                          cudaDataType compute,
                                          cublasGemmAlgo_t algorithm KIT_WITH_PLACE) {
  KIT_FORWARD(cublasGemmEx, handle, transa, transb, m, n, k, alpha, A, type_a, lda, B, type_b, ldb,
              beta, C, type_c, ldc, kit_compute_type(compute), algorithm);
}
static inline cublasStatus_t cublasGemmStridedBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void *alpha, const void *A, cudaDataType type_a, int lda, long long stride_a,
    const void *B, cudaDataType type_b, int ldb, long long stride_b, const void *beta, void *C,
    cudaDataType type_c, int ldc, long long stride_c, int batch, cudaDataType compute,
    cublasGemmAlgo_t algorithm KIT_WITH_PLACE) {
  KIT_FORWARD(cublasGemmStridedBatchedEx, handle, transa, transb, m, n, k, alpha, A, type_a, lda,
              stride_a, B, type_b, ldb, stride_b, beta, C, type_c, ldc, stride_c, batch,
              kit_compute_type(compute), algorithm);
}
static inline cublasStatus_t cublasGemmBatchedEx(
    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
    const void *alpha, const void *const A[], cudaDataType type_a, int lda, const void *const B[],
    cudaDataType type_b, int ldb, const void *beta, void *const C[], cudaDataType type_c, int ldc,
    int batch, cudaDataType compute, cublasGemmAlgo_t algorithm KIT_WITH_PLACE) {
  KIT_FORWARD(cublasGemmBatchedEx, handle, transa, transb, m, n, k, alpha, A, type_a, lda, B,
              type_b, ldb, beta, C, type_c, ldc, batch, kit_compute_type(compute), algorithm);
}
#undef KIT_WITH_PLACE
#undef KIT_FORWARD
#endif

/* The second version's names, by which some call them */
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasGetVersion_v2 cublasGetVersion
#define cublasSetStream_v2 cublasSetStream
#define cublasGetStream_v2 cublasGetStream
#define cublasSetPointerMode_v2 cublasSetPointerMode
#define cublasGetPointerMode_v2 cublasGetPointerMode
#define cublasSaxpy_v2 cublasSaxpy
#define cublasDaxpy_v2 cublasDaxpy
#define cublasSdot_v2 cublasSdot
#define cublasDdot_v2 cublasDdot
#define cublasSscal_v2 cublasSscal
#define cublasDscal_v2 cublasDscal
#define cublasSgemv_v2 cublasSgemv
#define cublasDgemv_v2 cublasDgemv
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm

/* What is lacked is declared, so that the compiler says so by name. */
#if defined(__cplusplus) && defined(__clang__)
#define KIT_LACKED(name)              \
  extern "C" cublasStatus_t name(...) \
      KIT_LACKS("this function of cuBLAS; a kernel of your own can take its place");
#define KIT_LACKED_REAL(name) KIT_LACKED(cublasS##name) KIT_LACKED(cublasD##name)
#define KIT_LACKED_COMPLEX(name) KIT_LACKED(cublasC##name) KIT_LACKED(cublasZ##name)
#define KIT_LACKED_ALL(name) KIT_LACKED_REAL(name) KIT_LACKED_COMPLEX(name)
KIT_LACKED_REAL(rot)
KIT_LACKED_REAL(rotg)
KIT_LACKED_REAL(rotm)
KIT_LACKED_REAL(rotmg)
KIT_LACKED_REAL(syr)
KIT_LACKED_REAL(syr2)
KIT_LACKED_REAL(symv)
KIT_LACKED_REAL(sbmv)
KIT_LACKED_REAL(spmv)
KIT_LACKED_REAL(gemvBatched)
KIT_LACKED_REAL(gemvStridedBatched)
KIT_LACKED_ALL(gbmv)
KIT_LACKED_ALL(trmv)
KIT_LACKED_ALL(trsv)
KIT_LACKED_ALL(tbmv)
KIT_LACKED_ALL(tbsv)
KIT_LACKED_ALL(trmm)
KIT_LACKED_ALL(symm)
KIT_LACKED_ALL(syrk)
KIT_LACKED_ALL(syr2k)
KIT_LACKED_ALL(trsmBatched)
KIT_LACKED_ALL(getrfBatched)
KIT_LACKED_ALL(getrsBatched)
KIT_LACKED_ALL(getriBatched)
KIT_LACKED_ALL(matinvBatched)
KIT_LACKED_ALL(geqrfBatched)
KIT_LACKED_ALL(gelsBatched)
KIT_LACKED_COMPLEX(axpy)
KIT_LACKED_COMPLEX(dotu)
KIT_LACKED_COMPLEX(dotc)
KIT_LACKED_COMPLEX(scal)
KIT_LACKED_COMPLEX(copy)
KIT_LACKED_COMPLEX(swap)
KIT_LACKED_COMPLEX(gemv)
KIT_LACKED_COMPLEX(geru)
KIT_LACKED_COMPLEX(gerc)
KIT_LACKED_COMPLEX(gemm)
KIT_LACKED_COMPLEX(gemmBatched)
KIT_LACKED_COMPLEX(gemmStridedBatched)
KIT_LACKED_COMPLEX(geam)
KIT_LACKED_COMPLEX(dgmm)
KIT_LACKED_COMPLEX(trsm)
KIT_LACKED_COMPLEX(hemm)
KIT_LACKED_COMPLEX(herk)
KIT_LACKED(cublasScnrm2)
KIT_LACKED(cublasDznrm2)
KIT_LACKED(cublasScasum)
KIT_LACKED(cublasDzasum)
KIT_LACKED(cublasHgemmBatched)
KIT_LACKED(cublasLoggerConfigure)
#undef KIT_LACKED
#undef KIT_LACKED_REAL
#undef KIT_LACKED_COMPLEX
#undef KIT_LACKED_ALL
#endif

#endif
