// The host waits for another stream than that of the copy.
// rule: host
// race: A B | A -
// fix: synchronize
#include "pair.h"

int main() {
  int *data = make<int>("data", 64), *host = nullptr, sum = 0;
  cudaMallocHost(&host, 256);
  cudaStream_t first, second;
  cudaStreamCreate(&first), cudaStreamCreate(&second);
  cudaMemcpyAsync(host, data, 256, cudaMemcpyDeviceToHost, first); // [A]
  cudaStreamSynchronize(first); // racy: cudaStreamSynchronize(second);
  for (int i = 0; i < 64; i++) sum += host[i]; // [B]
  cudaDeviceSynchronize();
  return sum;
}
