// Reads everything back, compares a few elements with its own product, and says so.
// least: 95
#include <cmath>
#include <cstdio>
#include <vector>
static std::vector<float> host_product(const float *A, const float *B, int M, int N, int K) {
  std::vector<float> a((size_t)M * K), b((size_t)K * N), c((size_t)M * N);
  cudaMemcpy(a.data(), A, a.size() * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMemcpy(b.data(), B, b.size() * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < M; i++)
    for (int k = 0; k < K; k++)
      for (int j = 0; j < N; j++)
        c[(size_t)i * N + j] += a[(size_t)i * K + k] * b[(size_t)k * N + j];
  return c;
}

__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  product<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8)>>>(A, B, C, M, N, K);
  if ((size_t)M * N > 20000) return;
  std::vector<float> right = host_product(A, B, M, N, K), got(right.size());
  cudaMemcpy(got.data(), C, got.size() * sizeof(float), cudaMemcpyDeviceToHost);
  float worst = 0;
  for (size_t i = 0; i < got.size(); i++) worst = std::fmax(worst, std::fabs(got[i] - right[i]));
  printf("largest difference: %g\n", worst);
}
