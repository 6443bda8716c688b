// ceiling.cu: the ceiling of A times A transposed: the product of NVIDIA's library, in fp32
// throughout. In the place of a submission, so that it is timed as one is
// (harness/runner/timing.h). No submission is linked with that library: this is a program of its
// own.
//
//   build/gpu/ceiling-gram --time M=4096 K=4096    (make grade builds it where a GPU and cuBLAS
//   are)
#include <cstdio>
#include <cstdlib>
#include <cublas_v2.h>
#include <cuda_runtime.h>

extern "C" {
#include "../problem.h"
extern const struct problem problem_gram;
}
#include "gram.h"

KIT_ENTRY(cublas_sgemm);

static void check(cublasStatus_t status) {
  if (status == CUBLAS_STATUS_SUCCESS) return;
  fprintf(stderr, "kit: cuBLAS: %s\n", cublasGetStatusString(status));
  exit(2);
}

// Pedantic: no TF32, nothing of less precision inside.
static cublasHandle_t start() {
  cublasHandle_t handle;
  check(cublasCreate(&handle));
  check(cublasSetMathMode(handle, CUBLAS_PEDANTIC_MATH));
  return handle;
}

// cuBLAS has columns where we have rows: our A is A transposed to it, K x M, and C, symmetric, is
// C.
void cublas_sgemm(const float *A, float *C, int M, int K) {
  static cublasHandle_t handle = start();
  const float one = 1, zero = 0;
  check(cublasSgemm(handle, CUBLAS_OP_T, CUBLAS_OP_N, M, M, K, &one, A, K, A, K, &zero, C, M));
}

const struct kit_entry kit_entries[] = {
    {"cublas_sgemm", (void *)cublas_sgemm, &problem_gram},
    {0, 0, 0},
};
