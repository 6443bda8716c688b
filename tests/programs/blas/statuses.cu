// statuses.cu: what cuBLAS's functions return when they are called wrongly, and settings that are
// kept.
#include <cstdio>
#include <cublasLt.h>
#include <cublas_v2.h>

#define SAY(call) printf("%s: %s\n", #call, cublasGetStatusName(call))

int main() {
  cublasHandle_t h, none = nullptr;
  float one = 1, *d;
  cudaMalloc(&d, 64 * sizeof *d);
  cudaMemset(d, 0, 64 * sizeof *d);
  const cublasOperation_t N = CUBLAS_OP_N, T = CUBLAS_OP_T;
  SAY(cublasCreate(nullptr));
  SAY(cublasSgemm(none, N, N, 4, 4, 4, &one, d, 4, d, 4, &one, d, 4));
  SAY(cublasSaxpy(none, 4, &one, d, 1, d, 1));
  SAY(cublasDestroy(none));
  SAY(cublasCreate(&h));
  SAY(cublasSgemm(h, N, N, -1, 4, 4, &one, d, 4, d, 4, &one, d, 4));
  SAY(cublasSgemm(h, (cublasOperation_t)7, N, 4, 4, 4, &one, d, 4, d, 4, &one, d, 4));
  SAY(cublasSgemm(h, N, N, 4, 4, 4, &one, d, 3, d, 4, &one, d, 4));
  SAY(cublasSgemm(h, T, N, 4, 4, 2, &one, d, 2, d, 2, &one, d, 4));
  SAY(cublasSgemm(h, N, N, 4, 4, 4, &one, d, 4, d, 3, &one, d, 4));
  SAY(cublasSgemm(h, N, N, 4, 4, 4, &one, d, 4, d, 4, &one, d, 3));
  SAY(cublasSgemm(h, N, N, 4, 4, 4, nullptr, d, 4, d, 4, &one, d, 4));
  SAY(cublasSgemm(h, N, N, 0, 4, 4, &one, d, 1, d, 4, &one, d, 1));
  SAY(cublasSgemv(h, N, 4, 4, &one, d, 4, d, 0, &one, d, 1));
  SAY(cublasSgemv(h, N, 4, 4, &one, d, 3, d, 1, &one, d, 1));
  SAY(cublasSger(h, 4, -4, &one, d, 1, d, 1, d, 4));
  SAY(cublasSdot(h, 4, d, 1, d, 1, nullptr));
  SAY(cublasSaxpy(h, -4, &one, d, 1, d, 1));
  SAY(cublasSetMatrix(4, -1, sizeof *d, &one, 4, d, 4));
  SAY(cublasSetMatrix(4, 4, 0, &one, 4, d, 4));
  SAY(cublasSetVector(4, sizeof *d, &one, 0, d, 1));
  SAY(cublasSetVector(1, sizeof *d, d, 1, &one, 1));
  SAY(cublasGemmEx(h, N, N, 4, 4, 4, &one, d, CUDA_R_16F, 4, d, CUDA_R_32F, 4, &one, d, CUDA_R_32F,
                   4, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
  SAY(cublasSetPointerMode(h, (cublasPointerMode_t)5));
  float result = 7;
  int index = 7, version;
  SAY(cublasSnrm2(h, 0, d, 1, &result));
  SAY(cublasIsamax(h, 0, d, 1, &index));
  printf("of nothing: %g %d\n", result, index);
  cublasPointerMode_t mode;
  cudaStream_t stream, kept;
  cudaStreamCreate(&stream);
  SAY(cublasSetStream(h, stream));
  SAY(cublasGetStream(h, &kept));
  SAY(cublasGetPointerMode(h, &mode));
  SAY(cublasGetVersion(h, &version));
  printf("%s, %s, version %d\n", kept == stream ? "its stream" : "another stream",
         mode == CUBLAS_POINTER_MODE_HOST ? "host" : "device", version);
  cublasLtMatmulDesc_t desc;
  int64_t wide = 0;
  SAY(cublasLtMatmulDescCreate(&desc, CUBLAS_COMPUTE_32F, CUDA_R_32F));
  SAY(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_TRANSA, &wide, sizeof wide));
  SAY(cublasLtMatmulDescSetAttribute(desc, CUBLASLT_MATMUL_DESC_FILL_MODE, &wide, sizeof wide));
  SAY(cublasLtMatmulDescDestroy(desc));
  SAY(cublasDestroy(h));
  SAY(cublasSaxpy(h, 4, &one, d, 1, d, 1));
  printf("cudaGetLastError: %s\n", cudaGetErrorName(cudaGetLastError()));
}
