// Kernels of one stream run one after the other, those of two streams do not.
// rule: streams
// race: A B data
// fix: event
#include "pair.h"

__global__ void fill(int *data) {
  data[threadIdx.x] = threadIdx.x; // [A]
}

__global__ void add(int *data) {
  data[threadIdx.x] += 1; // [B]
}

int main() {
  int *data = make<int>("data", 64);
  cudaStream_t streams[2];
  cudaStreamCreate(&streams[0]), cudaStreamCreate(&streams[1]);
  int other = 0; // racy: int other = 1;
  fill<<<1, 64, 0, streams[0]>>>(data);
  add<<<1, 64, 0, streams[other]>>>(data);
  cudaDeviceSynchronize();
  return differs(data, 64, [](int i) { return i + 1; });
}
