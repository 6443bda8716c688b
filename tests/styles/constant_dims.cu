// Dimensions in constant memory, a counter in a __device__ variable, copied with symbols.
#include <cuda_runtime.h>

struct Dims {
  int M, N, K;
};
__constant__ Dims dims;
static __constant__ float scale = 1.0f;
__device__ unsigned int finished;

__global__ void product(const float *A, const float *B, float *C) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < dims.M && column < dims.N) {
    float sum = 0;
    for (int k = 0; k < dims.K; k++) sum += A[row * dims.K + k] * B[k * dims.N + column];
    C[row * dims.N + column] = scale * sum;
    atomicAdd(&finished, 1u);
  }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  Dims host = {M, N, K};
  unsigned int zero = 0, count = 0;
  cudaMemcpyToSymbol(dims, &host, sizeof host);
  cudaMemcpyToSymbol(finished, &zero, sizeof zero);
  product<<<dim3((N + 15) / 16, (M + 15) / 16), dim3(16, 16)>>>(A, B, C);
  cudaMemcpyFromSymbol(&count, finished, sizeof count);
  if (count != (unsigned)M * N) cudaMemset(C, 0xff, sizeof(float) * M * N);  // shows as NaN
}
