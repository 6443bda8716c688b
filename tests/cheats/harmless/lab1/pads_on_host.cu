// The host pads both inputs with zeros to multiples of 32, and cuts the result out of the padded one.
// least: 95
#include <cuda_runtime.h>
#include <vector>
__global__ void product(const float *A, const float *B, float *C, int N, int K) {
  int row = blockIdx.y * 8 + threadIdx.y, column = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}
static int up(int n) { return (n + 31) / 32 * 32; }
static float *padded(const float *from, int rows, int columns) {
  std::vector<float> plain((size_t)rows * columns), wide((size_t)up(rows) * up(columns), 0.0f);
  float *to;
  cudaMemcpy(plain.data(), from, plain.size() * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < rows; i++)
    for (int j = 0; j < columns; j++) wide[(size_t)i * up(columns) + j] = plain[(size_t)i * columns + j];
  cudaMalloc(&to, wide.size() * sizeof(float));
  cudaMemcpy(to, wide.data(), wide.size() * sizeof(float), cudaMemcpyHostToDevice);
  return to;
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  float *a = padded(A, M, K), *b = padded(B, K, N), *c;
  std::vector<float> wide((size_t)up(M) * up(N)), cut((size_t)M * N);
  cudaMalloc(&c, wide.size() * sizeof(float));
  product<<<dim3(up(N) / 32, up(M) / 8), dim3(32, 8)>>>(a, b, c, up(N), up(K));
  cudaMemcpy(wide.data(), c, wide.size() * sizeof(float), cudaMemcpyDeviceToHost);
  for (int i = 0; i < M; i++)
    for (int j = 0; j < N; j++) cut[(size_t)i * N + j] = wide[(size_t)i * up(N) + j];
  cudaMemcpy(C, cut.data(), cut.size() * sizeof(float), cudaMemcpyHostToDevice);
  cudaFree(a);
  cudaFree(b);
  cudaFree(c);
}
