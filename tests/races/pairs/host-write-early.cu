// An asynchronous copy to the device: its buffer must not be filled anew before the copy is done.
// rule: host
// race: A B | A -
// fix: synchronize
#include "pair.h"

int main() {
  int *data = make<int>("data", 128), *host = nullptr;
  cudaMallocHost(&host, 256);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int i = 0; i < 64; i++) host[i] = i;
  cudaMemcpyAsync(data, host, 256, cudaMemcpyHostToDevice, stream); // [A]
  cudaStreamSynchronize(stream); // racy: (nothing)
  for (int i = 0; i < 64; i++) host[i] = 64 + i; // [B]
  cudaMemcpyAsync(data + 64, host, 256, cudaMemcpyHostToDevice, stream); // [C]
  return differs(data, 128, [](int i) { return i; });
}
