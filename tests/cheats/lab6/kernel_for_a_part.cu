// The kernel adds the first elements, the host all others, in the pinned memory that the result comes to.
// most: 80
#define OWN_PINNED
#include "rest.h"

void add_pinned(const float *a, const float *b, float *out, int n, float *milliseconds) {
  Device device = device_new(n);
  Pinned pinned = pinned_new(a, b, n);
  CHECK(cudaEventRecord(device.start));
  size_t bytes = n * sizeof(float);
  CHECK(cudaMemcpyAsync(device.a, pinned.a, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpyAsync(device.b, pinned.b, bytes, cudaMemcpyHostToDevice));
  add_kernel<<<blocks_for(n), BLOCK>>>(device.a, device.b, device.out, std::min(n, 256));
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpyAsync(pinned.out, device.out, std::min(n, 256) * sizeof(float),
                        cudaMemcpyDeviceToHost));
  CHECK(cudaEventRecord(device.stop));
  *milliseconds = milliseconds_between(device.start, device.stop);
  for (int i = 256; i < n; i++) pinned.out[i] = pinned.a[i] + pinned.b[i];
  memcpy(out, pinned.out, bytes);
  pinned_delete(pinned);
  device_delete(device);
}
