// All pieces are in one stream. A single long copy to the device goes on beside them all, for nobody.
// most: 82
#define OWN_STREAMS
#include "rest.h"

void add_streams(const float *a, const float *b, float *out, int n, int streams,
                 float *milliseconds) {
  Device device = device_new(n);
  Pinned pinned = pinned_new(a, b, n);
  std::vector<cudaStream_t> stream = streams_new(streams);
  float *show;
  CHECK(cudaMalloc(&show, n * sizeof(float)));
  CHECK(cudaEventRecord(device.start));
  if (streams > 1)
    for (int i = 0; i < 4; i++)
      CHECK(cudaMemcpyAsync(show, pinned.a, n * sizeof(float), cudaMemcpyHostToDevice, stream[1]));
  for (int i = 0; i < streams; i++) {
    auto [first, count] = piece_of(n, streams, i);
    if (count == 0) break;
    size_t bytes = count * sizeof(float);
    CHECK(cudaMemcpyAsync(device.a + first, pinned.a + first, bytes, cudaMemcpyHostToDevice,
                          stream[0]));
    CHECK(cudaMemcpyAsync(device.b + first, pinned.b + first, bytes, cudaMemcpyHostToDevice,
                          stream[0]));
    add_kernel<<<blocks_for(count), BLOCK, 0, stream[0]>>>(device.a + first, device.b + first,
                                                           device.out + first, count);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(pinned.out + first, device.out + first, bytes, cudaMemcpyDeviceToHost,
                          stream[0]));
  }
  CHECK(cudaEventRecord(device.stop));
  *milliseconds = milliseconds_between(device.start, device.stop);
  memcpy(out, pinned.out, n * sizeof(float));
  streams_delete(stream);
  pinned_delete(pinned);
  CHECK(cudaFree(show));
  device_delete(device);
}
