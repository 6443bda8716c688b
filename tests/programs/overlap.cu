// Four parts of an array, each copied in, doubled and copied out in a stream of its own; prints
// how much longer that takes in one stream. With an argument: in one stream only.
#include <cuda_runtime.h>
#include <stdio.h>

const int n = 1 << 20, parts = 4;

__global__ void twice(float *a, int length) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < length) a[i] *= 2;
}

static float milliseconds(float *host, float *device, cudaStream_t *streams, int count) {
  cudaEvent_t start, stop;
  float ms;
  cudaEventCreate(&start);
  cudaEventCreate(&stop);
  cudaEventRecord(start);
  for (int part = 0; part < parts; part++) {
    int at = part * (n / parts);
    size_t bytes = n / parts * sizeof(float);
    cudaStream_t stream = streams[part % count];
    cudaMemcpyAsync(device + at, host + at, bytes, cudaMemcpyHostToDevice, stream);
    twice<<<n / parts / 256, 256, 0, stream>>>(device + at, n / parts);
    cudaMemcpyAsync(host + at, device + at, bytes, cudaMemcpyDeviceToHost, stream);
  }
  cudaEventRecord(stop);
  cudaEventSynchronize(stop);
  cudaEventElapsedTime(&ms, start, stop);
  cudaEventDestroy(start);
  cudaEventDestroy(stop);
  return ms;
}

int main(int count, char **) {
  float *host, *device;
  cudaStream_t streams[parts];
  cudaMallocHost(&host, n * sizeof *host);
  cudaMalloc(&device, n * sizeof *device);
  for (int i = 0; i < n; i++) host[i] = 1;
  for (auto &stream : streams) cudaStreamCreate(&stream);
  float one = milliseconds(host, device, streams, 1);
  if (count > 1) return 0;
  printf("%.1f\n", one / milliseconds(host, device, streams, parts));
  for (auto &stream : streams) cudaStreamDestroy(stream);
  cudaFreeHost(host);
  cudaFree(device);
}
