// The host waits for the event behind the copy, or for one in front of it.
// rule: host
// race: A B | A -
// fix: synchronize
#include "pair.h"

__global__ void fill(int *data) { data[threadIdx.x] = threadIdx.x; }

int main() {
  int *data = make<int>("data", 64), *host = nullptr, sum = 0;
  cudaMallocHost(&host, 256);
  cudaStream_t stream;
  cudaEvent_t filled, copied;
  cudaStreamCreate(&stream), cudaEventCreate(&filled), cudaEventCreate(&copied);
  fill<<<1, 64, 0, stream>>>(data);
  cudaEventRecord(filled, stream);
  cudaMemcpyAsync(host, data, 256, cudaMemcpyDeviceToHost, stream); // [A]
  cudaEventRecord(copied, stream);
  cudaEventSynchronize(copied); // racy: cudaEventSynchronize(filled);
  for (int i = 0; i < 64; i++) sum += host[i]; // [B]
  cudaDeviceSynchronize();
  return sum != 63 * 32;
}
