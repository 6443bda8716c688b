// A device lambda passed to a kernel template. (nvcc needs --extended-lambda.)
#include <cuda_runtime.h>

template <class F>
__global__ void each(int count, F body) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x) body(i);
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  auto element = [=] __device__(int i) {
    int row = i / N, column = i % N;
    auto at = [&](int k) { return A[row * K + k] * B[k * N + column]; };
    float sum = 0;
    for (int k = 0; k < K; k++) sum += at(k);
    C[i] = sum;
  };
  each<<<64, 128>>>(M * N, element);
}
