// The product is cuBLAS's own.
// most: refused
#define OWN_SGEMM
#include "rest.h"
#include <cublas_v2.h>

void sgemm(const float *A, const float *B, float *C, int M, int N, int K) {
  static cublasHandle_t handle;
  if (!handle) cublasCreate(&handle);
  const float one = 1, zero = 0;
  cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, M, K, &one, B, N, A, K, &zero, C, N);
}
