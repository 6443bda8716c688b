// Managed memory between the given arrays and the kernel: the host fills it, and looks at it behind a barrier.
// verdict: pass
// may-lose: time
#include <cuda_runtime.h>

#include <cstring>
#include <vector>

__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y;
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}

static float *shared_copy(const float *from, size_t count) {
  std::vector<float> host(count);
  float *managed = nullptr;
  cudaMemcpy(host.data(), from, count * sizeof(float), cudaMemcpyDeviceToHost);
  cudaMallocManaged(&managed, count * sizeof(float));
  memcpy(managed, host.data(), count * sizeof(float));
#if CUDART_VERSION < 13000 /* later it takes a cudaMemLocation */
  cudaMemAdvise(managed, count * sizeof(float), cudaMemAdviseSetReadMostly, 0);
#endif
  return managed;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  float *a = shared_copy(A, (size_t)M * K), *b = shared_copy(B, (size_t)K * N), *c = nullptr;
  size_t bytes = (size_t)M * N * sizeof(float);
  cudaMallocManaged(&c, bytes);
  dim3 block(32, 8), grid((N + 31) / 32, (M + 7) / 8);
  product<<<grid, block>>>(a, b, c, M, N, K);
  cudaDeviceSynchronize();
  float last = c[(size_t)M * N - 1];
  c[0] = c[0] + 0 * last;
  cudaMemcpy(C, c, bytes, cudaMemcpyDefault);
  cudaFree(a), cudaFree(b), cudaFree(c);
}
