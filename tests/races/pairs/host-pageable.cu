// From pageable memory the copy has taken the bytes when the call returns; from pinned memory it has not.
// rule: host
// race: A B | A -
// fix: synchronize
#include "pair.h"

int main() {
  int *data = make<int>("data", 64), *host = nullptr;
  host = (int *)malloc(256); // racy: cudaMallocHost(&host, 256);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  for (int i = 0; i < 64; i++) host[i] = i;
  cudaMemcpyAsync(data, host, 256, cudaMemcpyHostToDevice, stream); // [A]
  for (int i = 0; i < 64; i++) host[i] = -1; // [B]
  cudaStreamSynchronize(stream);
  return differs(data, 64, [](int i) { return i; });
}
