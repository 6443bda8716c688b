// Non-blocking streams, forked and joined by events; the host asks for each piece's event and
// copies the piece out as soon as it is there.
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

static void wait_for(cudaEvent_t event) {
  cudaError_t answer;
  do answer = cudaEventQuery(event);
  while (answer == cudaErrorNotReady);
  CHECK(answer);
}

void add_streams(const float *a, const float *b, float *out, int n, int streams,
                 float *milliseconds) {
  Device device = device_new(n);
  Pinned pinned = pinned_new(a, b, n);
  std::vector<cudaStream_t> stream(streams);
  std::vector<cudaEvent_t> done(streams);
  for (int i = 0; i < streams; i++) {
    CHECK(cudaStreamCreateWithFlags(&stream[i], cudaStreamNonBlocking));
    CHECK(cudaEventCreateWithFlags(&done[i], cudaEventDisableTiming));
  }
  CHECK(cudaEventRecord(device.start, stream[0]));
  for (int i = 1; i < streams; i++) CHECK(cudaStreamWaitEvent(stream[i], device.start, 0));
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
    CHECK(cudaMemcpyAsync(pinned.out + first, device.out + first, bytes, cudaMemcpyDeviceToHost,
                          stream[i]));
    CHECK(cudaEventRecord(done[i], stream[i]));
    CHECK(cudaStreamWaitEvent(stream[0], done[i], 0));
  }
  CHECK(cudaEventRecord(device.stop, stream[0]));
  for (int i = 0; i < streams; i++) {
    auto [first, count] = piece_of(n, streams, i);
    if (count == 0) break;
    wait_for(done[i]);
    memcpy(out + first, pinned.out + first, count * sizeof(float));
  }
  wait_for(device.stop);
  CHECK(cudaEventElapsedTime(milliseconds, device.start, device.stop));
  for (cudaEvent_t event : done) CHECK(cudaEventDestroy(event));
  streams_delete(stream);
  pinned_delete(pinned);
  device_delete(device);
}
