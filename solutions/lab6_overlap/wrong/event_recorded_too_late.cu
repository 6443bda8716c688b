// The second stream waits for an event that nobody has recorded yet: it waits for nothing.
// verdict: partial
// loses: hazards
// may-lose: halves sidebyside
// hazard: race
//
//   default_and_user = 1
//   two_users = 2
//   default_and_non_blocking = 2
//   pinned_both_ways = 0
//   streams_both_ways = 75
//   pageable_both_ways = 0
#define OWN_ADD_HALVES
#include "rest.h"

// Two kernels, each of which adds half of the vectors with half of the GPU, side by side.
void add_halves(const float *a, const float *b, float *out, int n, float *milliseconds) {
  Device device = device_new(n);
  Pinned pinned = pinned_new(a, b, n);
  std::vector<cudaStream_t> stream = streams_new(2);
  CHECK(cudaEventRecord(device.start));
  size_t bytes = n * sizeof(float);
  cudaEvent_t copied;
  CHECK(cudaEventCreateWithFlags(&copied, cudaEventDisableTiming));
  CHECK(cudaMemcpyAsync(device.a, pinned.a, bytes, cudaMemcpyHostToDevice, stream[0]));
  CHECK(cudaMemcpyAsync(device.b, pinned.b, bytes, cudaMemcpyHostToDevice, stream[0]));
  CHECK(cudaStreamWaitEvent(stream[1], copied, 0));
  CHECK(cudaEventRecord(copied, stream[0]));
  for (int i = 0; i < 2; i++) {
    auto [first, count] = piece_of(n, 2, i);
    add_kernel<<<blocks_of_half(), BLOCK, 0, stream[i]>>>(device.a + first, device.b + first,
                                                          device.out + first, count);
    CHECK(cudaGetLastError());
  }
  for (int i = 0; i < 2; i++) {
    auto [first, count] = piece_of(n, 2, i);
    if (count == 0) break;
    CHECK(cudaMemcpyAsync(pinned.out + first, device.out + first, count * sizeof(float),
                          cudaMemcpyDeviceToHost, stream[i]));
  }
  CHECK(cudaEventRecord(device.stop));
  *milliseconds = milliseconds_between(device.start, device.stop);
  CHECK(cudaEventDestroy(copied));
  memcpy(out, pinned.out, bytes);
  streams_delete(stream);
  pinned_delete(pinned);
  device_delete(device);
}
