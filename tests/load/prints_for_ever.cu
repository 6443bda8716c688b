// Prints without end.
// kind: budget
// lab: small
#include <cstdio>
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  for (unsigned i = 0; i != ~0u; i++) printf("%9999u\n", i);
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) { product<<<10, 1024>>>(A, B, C, M, N, K); }
