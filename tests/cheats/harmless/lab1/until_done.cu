// Rows are multiplied in rounds until a counter on the device says that none is left.
// least: 90
#include <cuda_runtime.h>
__device__ int done;
__global__ void rows_of(const float *A, const float *B, float *C, int first, int M, int N, int K) {
  int row = first + blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < M && column < N) {
    float sum = 0;
    for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
    if (column == 0) atomicAdd(&done, 1);
  }
}
void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  int finished = 0;
  cudaMemcpyToSymbol(done, &finished, sizeof finished);
  while (finished < M) {
    rows_of<<<dim3((N + 31) / 32, 32), dim3(32, 8)>>>(A, B, C, finished, M, N, K);
    cudaMemcpyFromSymbol(&finished, done, sizeof finished);
  }
}
