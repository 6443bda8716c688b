// What a seed of the fuzzers needs besides the labs: streams, events and waits, fills and copies in streams, a pinned buffer and
// a managed array that the host touches too early. No product is computed.
#include <cuda_runtime.h>

__global__ void clear(float *C, int n) {
  if ((int)threadIdx.x < n) C[threadIdx.x] = 0;
}

void matmul(const float *A, const float *, float *C, int M, int N, int) {
  cudaStream_t streams[2];
  cudaEvent_t done;
  float *pinned, *managed;
  size_t bytes = sizeof(float) * (size_t)(M * N);
  cudaStreamCreate(&streams[0]);
  cudaStreamCreateWithFlags(&streams[1], cudaStreamNonBlocking);
  cudaEventCreate(&done);
  cudaMallocHost(&pinned, bytes);
  clear<<<1, 32, 0, streams[0]>>>(C, M * N);
  cudaMemsetAsync(C, 0, bytes, streams[1]);
  cudaEventRecord(done, streams[0]);
  cudaStreamWaitEvent(streams[1], done, 0);
  cudaMemcpyAsync(C, A, sizeof(float), cudaMemcpyDeviceToDevice, streams[1]);
  cudaMemcpy2DAsync(pinned, 4, C, 8, 4, 2, cudaMemcpyDeviceToHost, streams[1]);
  pinned[0] = 1;
  cudaMallocManaged(&managed, 64);
  managed[0] = 1;
  clear<<<1, 32>>>(managed, 16);
  managed[0] = 1;
  cudaEventSynchronize(done);
  cudaStreamSynchronize(streams[1]);
  cudaEventDestroy(done);
  cudaStreamDestroy(streams[0]);
  cudaDeviceSynchronize();
  cudaFree(managed);
}
