// cudaMemsetAsync in one stream, a kernel that adds in another.
// rule: streams
// race: A B data
// fix: event
#include "pair.h"

__global__ void add(int *data) {
  data[threadIdx.x] += 1; // [B]
}

int main() {
  int *data = make<int>("data", 64);
  cudaStream_t streams[2];
  cudaStreamCreate(&streams[0]), cudaStreamCreate(&streams[1]);
  int other = 0; // racy: int other = 1;
  cudaMemsetAsync(data, 1, 256, streams[0]); // [A]
  add<<<1, 64, 0, streams[other]>>>(data);
  cudaDeviceSynchronize();
  return differs(data, 64, [](int) { return 0x01010102; });
}
