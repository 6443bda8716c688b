// A stream for copies to the device, one for kernels, one for copies back, joined by events.
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

void add_streams(const float *a, const float *b, float *out, int n, int streams,
                 float *milliseconds) {
  Device device = device_new(n);
  Pinned pinned = pinned_new(a, b, n);
  std::vector<cudaStream_t> stream = streams_new(3);
  std::vector<cudaEvent_t> copied(streams), added(streams);
  for (std::vector<cudaEvent_t> *events : {&copied, &added})
    for (cudaEvent_t &event : *events)
      CHECK(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
  CHECK(cudaEventRecord(device.start));
  for (int i = 0; i < streams; i++) {
    auto [first, count] = piece_of(n, streams, i);
    if (count == 0) break;
    size_t bytes = count * sizeof(float);
    CHECK(cudaMemcpyAsync(device.a + first, pinned.a + first, bytes, cudaMemcpyHostToDevice,
                          stream[0]));
    CHECK(cudaMemcpyAsync(device.b + first, pinned.b + first, bytes, cudaMemcpyHostToDevice,
                          stream[0]));
    CHECK(cudaEventRecord(copied[i], stream[0]));
    CHECK(cudaStreamWaitEvent(stream[1], copied[i], 0));
    add_kernel<<<blocks_for(count), BLOCK, 0, stream[1]>>>(device.a + first, device.b + first,
                                                           device.out + first, count);
    CHECK(cudaGetLastError());
    CHECK(cudaEventRecord(added[i], stream[1]));
    CHECK(cudaStreamWaitEvent(stream[2], added[i], 0));
    CHECK(cudaMemcpyAsync(pinned.out + first, device.out + first, bytes, cudaMemcpyDeviceToHost,
                          stream[2]));
  }
  CHECK(cudaEventRecord(device.stop));
  *milliseconds = milliseconds_between(device.start, device.stop);
  memcpy(out, pinned.out, n * sizeof(float));
  for (const std::vector<cudaEvent_t> &events : {copied, added})
    for (cudaEvent_t event : events) CHECK(cudaEventDestroy(event));
  streams_delete(stream);
  pinned_delete(pinned);
  device_delete(device);
}
