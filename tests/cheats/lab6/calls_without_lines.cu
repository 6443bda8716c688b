// Pageable copies, called by the name in parentheses.
// most: 87
#define OWN_PINNED
#include "rest.h"

void add_pinned(const float *a, const float *b, float *out, int n, float *milliseconds) {
  Device device = device_new(n);
  Pinned pinned = pinned_new(a, b, n);
  CHECK(cudaEventRecord(device.start));
  size_t bytes = n * sizeof(float);
  CHECK((cudaMemcpyAsync)(device.a, a, bytes, cudaMemcpyHostToDevice, 0));
  CHECK((cudaMemcpyAsync)(device.b, b, bytes, cudaMemcpyHostToDevice, 0));
  add_kernel<<<blocks_for(n), BLOCK>>>(device.a, device.b, device.out, n);
  CHECK(cudaGetLastError());
  CHECK((cudaMemcpyAsync)(out, device.out, bytes, cudaMemcpyDeviceToHost, 0));
  CHECK(cudaEventRecord(device.stop));
  *milliseconds = milliseconds_between(device.start, device.stop);
  pinned_delete(pinned);
  device_delete(device);
}
