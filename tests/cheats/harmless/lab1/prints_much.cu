// Prints on both streams, with buffers of its own, from the host and from the kernel; modules and variables are of the usual kind.
// least: 100
#include <cstdio>
#include <cstring>
__device__ int calls;
__constant__ int first = 1;

__global__ void product(const float *A, const float *B, float *C, int M, int N, int K) {
  int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row == 0 && column == 0) printf("call %d of %d\n", calls, first);
  if (row >= M || column >= N) return;
  float sum = 0;
  for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
  C[row * N + column] = sum;
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  static char buffer[4096];
  static int number;
  setvbuf(stderr, buffer, _IOFBF, sizeof buffer);
  number++;
  cudaMemcpyToSymbol(calls, &number, sizeof number);
  char line[256];
  memset(line, '#', sizeof line - 1);
  line[255] = 0;
  for (int i = 0; i < 20; i++) fprintf(stderr, "%s\n", line);
  printf("%d x %d x %d\n", M, N, K);
  product<<<dim3((N + 31) / 32, (M + 7) / 8), dim3(32, 8)>>>(A, B, C, M, N, K);
  cudaError_t error = cudaDeviceSynchronize();
  puts(cudaGetErrorString(error));
  fflush(stdout);
  fflush(stderr);
}
