// A copy back to the host in one stream, while the kernel that writes runs in another.
// rule: streams
// race: A B data
// fix: event
#include "pair.h"

__global__ void fill(int *data) {
  data[threadIdx.x] = threadIdx.x; // [A]
}

int main() {
  int *data = make<int>("data", 64), *host = nullptr;
  cudaMallocHost(&host, 256);
  cudaStream_t streams[2];
  cudaStreamCreate(&streams[0]), cudaStreamCreate(&streams[1]);
  int other = 0; // racy: int other = 1;
  fill<<<1, 64, 0, streams[0]>>>(data);
  cudaMemcpyAsync(host, data, 256, cudaMemcpyDeviceToHost, streams[other]); // [B]
  cudaDeviceSynchronize();
  return host[63] != 63;
}
