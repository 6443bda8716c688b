// Rows in two halves on two streams, with events around them and a stream that waits for the other.
#include <cuda_runtime.h>
#include <iostream>

__global__ void product(const float *A, const float *B, float *C, int rows, int N, int K) {
  int row = blockIdx.y * blockDim.y + threadIdx.y, column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < rows && column < N) {
    float sum = 0;
    for (int k = 0; k < K; k++) sum += A[row * K + k] * B[k * N + column];
    C[row * N + column] = sum;
  }
}

void matmul(const float *A, const float *B, float *C, int M, int N, int K) {
  cudaStream_t streams[2];
  cudaEvent_t start, stop, joined;
  for (auto &stream : streams) cudaStreamCreate(&stream);
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventCreateWithFlags(&joined, cudaEventDisableTiming);
  cudaEventRecord(start, streams[0]);
  int first = (M + 1) / 2;
  for (int i = 0; i < 2; i++) {
    int row0 = i * first, rows = i ? M - first : first;
    if (rows == 0) continue;
    product<<<dim3((N + 15) / 16, (rows + 15) / 16), dim3(16, 16), 0, streams[i]>>>(A + row0 * K, B, C + row0 * N,
                                                                                    rows, N, K);
  }
  cudaEventRecord(joined, streams[1]);
  cudaStreamWaitEvent(streams[0], joined, 0);
  cudaEventRecord(stop, streams[0]);
  cudaEventSynchronize(stop);
  float milliseconds = -1;
  cudaEventElapsedTime(&milliseconds, start, stop);
  if (!(milliseconds >= 0)) std::cerr << "no time: " << cudaGetErrorString(cudaGetLastError()) << std::endl;
  for (auto &stream : streams) cudaStreamDestroy(stream);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  cudaEventDestroy(joined);
}
