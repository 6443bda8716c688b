// A block an element, tree reduction in shared memory; the last steps within one warp by volatile accesses and __syncwarp.
#include <cuda_runtime.h>

template <unsigned THREADS>
__device__ void warp_reduce(volatile float *sums, unsigned t) {
  float v = sums[t];
  if (THREADS >= 64) {
    v += sums[t + 32];
    __syncwarp();
    sums[t] = v;
    __syncwarp();
  }
  for (int s = 16; s > 0; s >>= 1) {
    v += sums[t + s];
    __syncwarp();
    sums[t] = v;
    __syncwarp();
  }
}

template <unsigned THREADS>
__global__ void product(const float *A, const float *B, float *C, int N, int K) {
  __shared__ float sums[THREADS + 32];
  unsigned t = threadIdx.x;
  int row = blockIdx.y, column = blockIdx.x;
  float sum = 0;
  for (int k = t; k < K; k += THREADS) sum += A[row * K + k] * B[k * N + column];
  sums[t] = sum;
  if (t < 32) sums[THREADS + t] = 0;
  __syncthreads();
  for (unsigned s = THREADS / 2; s > 32; s >>= 1) {
    if (t < s) sums[t] += sums[t + s];
    __syncthreads();
  }
  if (t < 32) warp_reduce<THREADS>(sums, t);
  if (t == 0) C[row * N + column] = sums[0];
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  product<128><<<dim3(N, M), 128>>>(A, B, C, N, K);
}
