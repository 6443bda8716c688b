// The host's result in an array of its own, which a kernel copies to C.
// most: 0
// says: computed from the inputs
#include "host.h"
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  std::vector<float> c = host_product(A, B, M, N, K);
  float *scratch;
  cudaMalloc(&scratch, c.size() * sizeof(float));
  cudaMemcpy(scratch, c.data(), c.size() * sizeof(float), cudaMemcpyHostToDevice);
  copy<<<(c.size() + 255) / 256, 256>>>(scratch, C, (int)c.size());
  cudaFree(scratch);
}
