// An asynchronous copy to the host: its buffer must not be read before the stream has been waited for.
// rule: host
// race: A B | A -
// fix: synchronize
#include "pair.h"

__global__ void fill(int *data) { data[threadIdx.x] = threadIdx.x; }

int main() {
  int *data = make<int>("data", 64), *host = nullptr, sum = 0;
  cudaMallocHost(&host, 256);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  fill<<<1, 64, 0, stream>>>(data);
  cudaMemcpyAsync(host, data, 256, cudaMemcpyDeviceToHost, stream); // [A]
  cudaStreamSynchronize(stream); // racy: (nothing)
  for (int i = 0; i < 64; i++) sum += host[i]; // [B]
  cudaDeviceSynchronize();
  return sum != 63 * 32;
}
