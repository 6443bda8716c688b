/* cublas_v2.h: no cuBLAS: what llm.c's common.h and SGEMM_CUDA name of it, for kernels that don't
 * use it. Calls do nothing. */
#pragma once
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#ifndef __LIBRARY_TYPES_H__
#define CUDA_R_32F 0
#define CUDA_R_16F 2
#define CUDA_R_16BF 14
#endif
typedef int cublasStatus_t, cublasComputeType_t, cublasMath_t, cublasOperation_t, cublasGemmAlgo_t;
typedef void *cublasHandle_t, *cublasLtHandle_t;
enum {
  CUBLAS_STATUS_SUCCESS,
  CUBLAS_COMPUTE_32F,
  CUBLAS_COMPUTE_32F_FAST_TF32,
  CUBLAS_TF32_TENSOR_OP_MATH,
  CUBLAS_COMPUTE_32F_FAST_16BF,
  CUBLAS_DEFAULT_MATH,
  CUBLAS_OP_N,
  CUBLAS_OP_T,
  CUBLAS_GEMM_DEFAULT,
  CUBLAS_GEMM_DEFAULT_TENSOR_OP,
  CUBLAS_COMPUTE_16F
};
template <typename... T>
int cublas_nothing(T...) {
  return 0;
}
#define cublasCreate cublas_nothing
#define cublasDestroy cublas_nothing
#define cublasLtCreate cublas_nothing
#define cublasSetMathMode cublas_nothing
#define cublasSgemm cublas_nothing
#define cublasSgemv cublas_nothing
#define cublasGemmEx cublas_nothing
#define cublasGemmStridedBatchedEx cublas_nothing
#define cublasSgemmStridedBatched cublas_nothing
