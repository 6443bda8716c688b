// A pinned buffer takes data from one stream's copy to another's: the second copy must wait for the first.
// rule: streams
// race: A B
// fix: event
#include "pair.h"

int main() {
  int *from = make<int>("from", 64), *to = make<int>("to", 64), *host = nullptr;
  cudaMallocHost(&host, 256);
  cudaStream_t first, second;
  cudaEvent_t copied;
  cudaStreamCreate(&first), cudaStreamCreate(&second), cudaEventCreate(&copied);
  cudaMemcpyAsync(host, from, 256, cudaMemcpyDeviceToHost, first); // [A]
  cudaEventRecord(copied, first);
  cudaStreamWaitEvent(second, copied, 0); // racy: (nothing)
  cudaMemcpyAsync(to, host, 256, cudaMemcpyHostToDevice, second); // [B]
  cudaDeviceSynchronize();
  return differs(to, 64, [](int) { return 0; });
}
