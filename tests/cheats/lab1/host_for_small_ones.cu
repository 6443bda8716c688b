// The kernel is right for large matrices; small ones are the host's.
// most: 72
// says: computed from the inputs
#include "host.h"
__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  if ((size_t)M * N >= 10000) {
    product<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8)>>>(A, B, C, M, N, K);
  } else {
    std::vector<float> c = host_product(A, B, M, N, K);
    cudaMemcpy(C, c.data(), c.size() * sizeof(float), cudaMemcpyHostToDevice);
  }
}
