// A fixed grid and grid-stride loops over rows and columns, from the occupancy calculator.
#include <cuda_runtime.h>

__global__ void product(const float *__restrict__ A, const float *__restrict__ B, float *__restrict__ C, int M, int N,
                        int K) {
  for (int row = blockIdx.y; row < M; row += gridDim.y)
    for (int column = blockIdx.x * blockDim.x + threadIdx.x; column < N; column += blockDim.x * gridDim.x) {
      float sum = 0;
#pragma unroll 4
      for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
      C[row * N + column] = sum;
    }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  int device = 0, multiprocessors = 1, min_grid = 0, threads = 128;
  cudaGetDevice(&device);
  cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, device);
  cudaOccupancyMaxPotentialBlockSize(&min_grid, &threads, product, 0, 256);
  if (threads <= 0) threads = 128;
  product<<<dim3(2, multiprocessors / 2), threads>>>(A, B, C, M, N, K);
}
