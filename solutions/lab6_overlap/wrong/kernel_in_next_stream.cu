// Breadth first, each kernel is in the next piece's stream, and does not wait for its copies.
// verdict: partial
// loses: hazards
// may-lose: breadth breadthways
// hazard: race
//
//   default_and_user = 1
//   two_users = 2
//   default_and_non_blocking = 2
//   pinned_both_ways = 0
//   streams_both_ways = 75
//   pageable_both_ways = 0
#define OWN_ADD_BREADTH_FIRST
#include "rest.h"

// Breadth first: all copies to the device, then all kernels, then all copies to the host.
void add_breadth_first(const float *a, const float *b, float *out, int n, int streams,
                       float *milliseconds) {
  Device device = device_new(n);
  Pinned pinned = pinned_new(a, b, n);
  std::vector<cudaStream_t> stream = streams_new(streams);
  CHECK(cudaEventRecord(device.start));
  for (int i = 0; i < streams; i++) {
    auto [first, count] = piece_of(n, streams, i);
    if (count == 0) break;
    size_t bytes = count * sizeof(float);
    CHECK(cudaMemcpyAsync(device.a + first, pinned.a + first, bytes, cudaMemcpyHostToDevice,
                          stream[i]));
    CHECK(cudaMemcpyAsync(device.b + first, pinned.b + first, bytes, cudaMemcpyHostToDevice,
                          stream[i]));
  }
  for (int i = 0; i < streams; i++) {
    auto [first, count] = piece_of(n, streams, i);
    if (count == 0) break;
    cudaStream_t next = stream[(i + 1) % streams];
    add_kernel<<<blocks_for(count), BLOCK, 0, next>>>(device.a + first, device.b + first,
                                                      device.out + first, count);
    CHECK(cudaGetLastError());
  }
  for (int i = 0; i < streams; i++) {
    auto [first, count] = piece_of(n, streams, i);
    if (count == 0) break;
    CHECK(cudaMemcpyAsync(pinned.out + first, device.out + first, count * sizeof(float),
                          cudaMemcpyDeviceToHost, stream[i]));
  }
  CHECK(cudaEventRecord(device.stop));
  *milliseconds = milliseconds_between(device.start, device.stop);
  memcpy(out, pinned.out, n * sizeof(float));
  streams_delete(stream);
  pinned_delete(pinned);
  device_delete(device);
}
