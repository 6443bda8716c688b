// A copy to the device in one stream, the kernel that reads it in another.
// rule: streams
// race: A B data
// fix: event
#include "pair.h"

__global__ void copy(const int *data, int *out) {
  out[threadIdx.x] = data[threadIdx.x]; // [B]
}

int main() {
  int *data = make<int>("data", 64), *out = make<int>("out", 64), *host = nullptr;
  cudaMallocHost(&host, 256);
  for (int i = 0; i < 64; i++) host[i] = i;
  cudaStream_t streams[2];
  cudaStreamCreate(&streams[0]), cudaStreamCreate(&streams[1]);
  int other = 0; // racy: int other = 1;
  cudaMemcpyAsync(data, host, 256, cudaMemcpyHostToDevice, streams[0]); // [A]
  copy<<<1, 64, 0, streams[other]>>>(data, out);
  cudaDeviceSynchronize();
  return differs(data, 64, [](int i) { return i; });
}
