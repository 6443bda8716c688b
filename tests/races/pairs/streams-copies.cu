// Two copies to the device overlap in two streams.
// rule: streams
// race: A B data
// fix: event
#include "pair.h"

int main() {
  int *data = make<int>("data", 64), *host = nullptr;
  cudaMallocHost(&host, 256);
  for (int i = 0; i < 64; i++) host[i] = i;
  cudaStream_t first, second;
  cudaStreamCreate(&first), cudaStreamCreate(&second);
  int *to = data + 32; // racy: int *to = data + 16;
  cudaMemcpyAsync(data, host, 128, cudaMemcpyHostToDevice, first); // [A]
  cudaMemcpyAsync(to, host, 128, cudaMemcpyHostToDevice, second); // [B]
  cudaDeviceSynchronize();
  return differs(data, 64, [](int i) { return i % 32; });
}
