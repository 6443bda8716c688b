// Wrong, and it takes what memory it can get on the device and the host, so that the kit may look at fault.
// most: 0
#include <cuda_runtime.h>
#include <cstdlib>
#include <cstring>
__global__ void touch(char *p, size_t n) {
  for (size_t i = threadIdx.x; i < n; i += 1 << 20) p[i] = 1;
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  char *p;
  for (int i = 0; i < 400; i++)
    if (cudaMalloc(&p, 100 << 20) == cudaSuccess) {
      cudaMemset(p, 1, 100 << 20);
      touch<<<1, 1>>>(p, 100 << 20);
    }
  for (int i = 0; i < 100; i++)
    if (void *q = malloc(100 << 20)) memset(q, 1, 100 << 20);
}
