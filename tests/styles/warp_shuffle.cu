// A warp an element: lanes share the sum over k and add it up by shuffles.
#include <cuda_runtime.h>

__inline__ __device__ float warp_sum(float value) {
  for (int offset = warpSize / 2; offset > 0; offset /= 2) value += __shfl_down_sync(0xffffffff, value, offset);
  return value;
}

__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int lane = threadIdx.x % 32, warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  if (warp >= M * N) return;  // whole warps leave
  int row = warp / N, column = warp % N;
  float sum = 0;
  for (int k = lane; k < K; k += 32) sum += A[row * K + k] * B[k * N + column];
  sum = warp_sum(sum);
  if (lane == 0) C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  long long threads = 32LL * M * N;
  product<<<(unsigned)((threads + 127) / 128), 128>>>(A, B, C, M, N, K);
}
