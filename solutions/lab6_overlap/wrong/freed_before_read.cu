// The pinned memory is freed before its result is copied out.
// verdict: partial
// loses: pinned checked frompinned
// reason: used pinned memory after cudaFreeHost
//
//   default_and_user = 1
//   two_users = 2
//   default_and_non_blocking = 2
//   pinned_both_ways = 0
//   streams_both_ways = 75
//   pageable_both_ways = 0
#define OWN_ADD_PINNED
#include "rest.h"

void add_pinned(const float *a, const float *b, float *out, int n, float *milliseconds) {
  Device device = device_new(n);
  Pinned pinned = pinned_new(a, b, n);
  CHECK(cudaEventRecord(device.start));
  size_t bytes = n * sizeof(float);
  CHECK(cudaMemcpyAsync(device.a, pinned.a, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyAsync(device.b, pinned.b, bytes, cudaMemcpyHostToDevice));
  add_kernel<<<blocks_for(n), BLOCK>>>(device.a, device.b, device.out, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpyAsync(pinned.out, device.out, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaEventRecord(device.stop));
  *milliseconds = milliseconds_between(device.start, device.stop);
  pinned_delete(pinned);
  memcpy(out, pinned.out, bytes);
  device_delete(device);
}
