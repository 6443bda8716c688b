// Memory from malloc that is registered is pinned: an asynchronous copy to it goes on after the call.
// rule: host
// race: A B | A -
// fix: synchronize
#include "pair.h"

__global__ void fill(int *data) { data[blockIdx.x * 256 + threadIdx.x] = 1; }

int main() {
  constexpr int n = 16384;
  int *data = make<int>("data", n), *host = (int *)malloc(n * sizeof(int)), sum = 0;
  cudaHostRegister(host, n * sizeof(int), cudaHostRegisterDefault);
  cudaStream_t stream;
  cudaStreamCreate(&stream);
  fill<<<n / 256, 256, 0, stream>>>(data);
  cudaMemcpyAsync(host, data, n * sizeof(int), cudaMemcpyDeviceToHost, stream); // [A]
  cudaStreamSynchronize(stream); // racy: (nothing)
  for (int i = 0; i < n; i++) sum += host[i]; // [B]
  cudaDeviceSynchronize();
  cudaHostUnregister(host);
  free(host);
  return sum != n;
}
