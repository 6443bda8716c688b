// The default stream waits for streams made by cudaStreamCreate, but not for those that are non-blocking.
// rule: streams
// race: A B data
#include "pair.h"

__global__ void fill(int *data) {
  data[threadIdx.x] = threadIdx.x; // [A]
}

__global__ void copy(const int *data, int *out) {
  out[threadIdx.x] = data[threadIdx.x]; // [B]
}

int main() {
  int *data = make<int>("data", 64), *out = make<int>("out", 64);
  cudaStream_t stream;
  cudaStreamCreate(&stream); // racy: cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
  fill<<<1, 64, 0, stream>>>(data);
  copy<<<1, 64>>>(data, out);
  cudaDeviceSynchronize();
  return differs(data, 64, [](int i) { return i; });
}
