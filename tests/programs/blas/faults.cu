// faults.cu: calls of cuBLAS with a fault each: what is to be reported, and what CUDA then returns.
#include <cublas_v2.h>
#include <cstdio>
#include <cstdlib>

int main(int argc, char **argv) {
  enum { N = 64 };
  int fault = argc > 1 ? atoi(argv[1]) : 0;
  float *a, *b, *c, one = 1, zero = 0, host[N * N] = {};
  cublasHandle_t h;
  cublasCreate(&h);
  cudaMalloc(&a, sizeof host);
  cudaMalloc(&b, sizeof host);
  cudaMalloc(&c, sizeof host / 2);
  cudaMemcpy(a, host, sizeof host, cudaMemcpyHostToDevice);
  cublasStatus_t status = CUBLAS_STATUS_SUCCESS;
  const cublasOperation_t op = CUBLAS_OP_N;
  switch (fault) {
  case 1: // c is too small
    status = cublasSgemm(h, op, op, N, N, N, &one, a, N, a, N, &zero, c, N);
    break;
  case 2: // nobody has written b
    status = cublasSgemm(h, op, op, N, N, N, &one, a, N, b, N, &zero, b, N);
    break;
  case 3: // b is written while another stream reads it
  {
    cudaStream_t s, t;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking);
    cublasSetStream(h, s);
    cublasScopy(h, N, a, 1, b, 1);
    cublasSetStream(h, t);
    status = cublasSscal(h, N, &one, b, 1);
    break;
  }
  case 4: // host memory
    status = cublasSaxpy(h, N, &one, host, 1, a, 1);
    break;
  case 5: // c has been freed
    cudaFree(c);
    status = cublasSaxpy(h, N, &one, a, 1, c, 1);
    break;
  case 6: // beta is 0: what c was does not matter
    status = cublasSgemm(h, op, op, N, N / 2, N, &one, a, N, a, N, &zero, c, N);
    break;
  }
  printf("%s %s\n", cublasGetStatusName(status), cudaGetErrorName(cudaDeviceSynchronize()));
}
