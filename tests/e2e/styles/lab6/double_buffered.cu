// Two buffers on the device and an event for each: a buffer is filled again once its result is out.
// verdict: pass
//
//   default_and_user = 1
//   two_users = 2
//   default_and_non_blocking = 2
//   pinned_both_ways = 0
//   streams_both_ways = 75
//   pageable_both_ways = 0
#define OWN_ADD_STREAMS
#include "rest.h"

// Depth first: all of a piece, then all of the next.
void add_streams(const float *a, const float *b, float *out, int n, int streams,
                 float *milliseconds) {
  const int size = (n + streams - 1) / streams;
  Device buffer[2] = {device_new(size), device_new(size)};
  Pinned pinned = pinned_new(a, b, n);
  std::vector<cudaStream_t> stream = streams_new(3);  // copies in, kernels, copies out
  cudaEvent_t filled[2], added[2], emptied[2];
  for (int i = 0; i < 2; i++)
    for (cudaEvent_t *event : {&filled[i], &added[i], &emptied[i]})
      CHECK(cudaEventCreateWithFlags(event, cudaEventDisableTiming));
  CHECK(cudaEventRecord(buffer[0].start));
  for (int i = 0, first = 0; first < n; i++, first += size) {
    const Device &device = buffer[i % 2];
    int count = std::min(size, n - first);
    size_t bytes = count * sizeof(float);
    if (i >= 2) CHECK(cudaStreamWaitEvent(stream[0], added[i % 2], 0));
    CHECK(cudaMemcpyAsync(device.a, pinned.a + first, bytes, cudaMemcpyHostToDevice, stream[0]));
    CHECK(cudaMemcpyAsync(device.b, pinned.b + first, bytes, cudaMemcpyHostToDevice, stream[0]));
    CHECK(cudaEventRecord(filled[i % 2], stream[0]));
    CHECK(cudaStreamWaitEvent(stream[1], filled[i % 2], 0));
    if (i >= 2) CHECK(cudaStreamWaitEvent(stream[1], emptied[i % 2], 0));
    add_kernel<<<blocks_for(count), BLOCK, 0, stream[1]>>>(device.a, device.b, device.out, count);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(added[i % 2], stream[1]));
    CHECK(cudaStreamWaitEvent(stream[2], added[i % 2], 0));
    CHECK(
        cudaMemcpyAsync(pinned.out + first, device.out, bytes, cudaMemcpyDeviceToHost, stream[2]));
    CHECK(cudaEventRecord(emptied[i % 2], stream[2]));
  }
  CHECK(cudaEventRecord(buffer[0].stop));
  *milliseconds = milliseconds_between(buffer[0].start, buffer[0].stop);
  memcpy(out, pinned.out, n * sizeof(float));
  for (int i = 0; i < 2; i++)
    for (cudaEvent_t event : {filled[i], added[i], emptied[i]}) CHECK(cudaEventDestroy(event));
  streams_delete(stream);
  pinned_delete(pinned);
  for (const Device &device : buffer) device_delete(device);
}
