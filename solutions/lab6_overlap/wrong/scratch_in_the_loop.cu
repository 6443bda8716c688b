// Each piece gets an array of its own in the loop: cudaFree waits for all that is under way.
// verdict: partial
// loses: bothways hidden
// reason: a cudaMemcpy, cudaMalloc or cudaFree
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
    float *sum;
    CHECK(cudaMalloc(&sum, bytes));
    add_kernel<<<blocks_for(count), BLOCK, 0, stream[i]>>>(device.a + first, device.b + first, sum,
                                                           count);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(pinned.out + first, sum, bytes, cudaMemcpyDeviceToHost, stream[i]));
    CHECK(cudaFree(sum));
  }
  CHECK(cudaEventRecord(device.stop));
  *milliseconds = milliseconds_between(device.start, device.stop);
  memcpy(out, pinned.out, n * sizeof(float));
  streams_delete(stream);
  pinned_delete(pinned);
  device_delete(device);
}
