// While a copy reads one half of a pinned buffer the host may fill the other, but not the same one.
// rule: host
// race: A B | A -
// fix: synchronize
#include "pair.h"

int main() {
  int *data = make<int>("data", 64), *host = nullptr;
  cudaMallocHost(&host, 512);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int i = 0; i < 64; i++) host[i] = i;
  cudaMemcpyAsync(data, host, 256, cudaMemcpyHostToDevice, stream); // [A]
  int *half = host + 64; // racy: int *half = host;
  for (int i = 0; i < 64; i++) half[i] = -i; // [B]
  cudaStreamSynchronize(stream);
  return differs(data, 64, [](int i) { return i; });
}
