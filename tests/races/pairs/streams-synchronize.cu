// The host waits for the first stream before it launches into the second.
// rule: streams
// race: A B data
// fix: event
#include "pair.h"

__global__ void fill(int *data) {
  data[threadIdx.x] = threadIdx.x; // [A]
}

__global__ void copy(const int *data, int *out) {
  out[threadIdx.x] = data[threadIdx.x]; // [B]
}

int main() {
  int *data = make<int>("data", 64), *out = make<int>("out", 64);
  cudaStream_t first, second;
  cudaStreamCreate(&first), cudaStreamCreate(&second);
  fill<<<1, 64, 0, first>>>(data);
  cudaStreamSynchronize(first); // racy: cudaStreamSynchronize(second);
  copy<<<1, 64, 0, second>>>(data, out);
  cudaDeviceSynchronize();
  return differs(data, 64, [](int i) { return i; });
}
