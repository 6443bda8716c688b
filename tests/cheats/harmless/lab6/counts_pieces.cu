// A kernel in a stream of its own counts pieces, and the count comes back beside everything else.
// least: 90
#define OWN_STREAMS
#include "good.h"

__global__ void count_up(int *counter) { ++*counter; }

void add_streams(const float *a, const float *b, float *out, int n, int streams,
                 float *milliseconds) {
  Device device = device_new(n);
  Pinned pinned = pinned_new(a, b, n);
  std::vector<cudaStream_t> stream = streams_new(streams);
  int *counter, *counted;
  cudaStream_t other;
  CHECK(cudaMalloc(&counter, sizeof(int)));
  CHECK(cudaMallocHost(&counted, sizeof(int)));
  CHECK(cudaStreamCreate(&other));
  CHECK(cudaEventRecord(device.start));
  CHECK(cudaMemsetAsync(counter, 0, sizeof(int), other));
  for (int i = 0; i < streams; i++) {
    auto [first, count] = piece_of(n, streams, i);
    if (count == 0) break;
    size_t bytes = count * sizeof(float);
    CHECK(cudaMemcpyAsync(device.a + first, pinned.a + first, bytes, cudaMemcpyHostToDevice,
                          stream[i]));
    CHECK(cudaMemcpyAsync(device.b + first, pinned.b + first, bytes, cudaMemcpyHostToDevice,
                          stream[i]));
    add_kernel<<<blocks_for(count), BLOCK, 0, stream[i]>>>(device.a + first, device.b + first,
                                                           device.out + first, count);
    CHECK(cudaGetLastError());
    count_up<<<1, 1, 0, other>>>(counter);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(pinned.out + first, device.out + first, bytes, cudaMemcpyDeviceToHost,
                          stream[i]));
  }
  CHECK(cudaMemcpyAsync(counted, counter, sizeof(int), cudaMemcpyDeviceToHost, other));
  CHECK(cudaEventRecord(device.stop));
  *milliseconds = milliseconds_between(device.start, device.stop);
  memcpy(out, pinned.out, n * sizeof(float));
  streams_delete(stream);
  pinned_delete(pinned);
  if (*counted > streams) printf("%d pieces\n", *counted);
  CHECK(cudaStreamDestroy(other));
  CHECK(cudaFreeHost(counted));
  CHECK(cudaFree(counter));
  device_delete(device);
}
