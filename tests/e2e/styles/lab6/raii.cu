// Classes give back in their destructors what their constructors got; errors are exceptions.
// verdict: pass
//
//   default_and_user = 1
//   two_users = 2
//   default_and_non_blocking = 2
//   pinned_both_ways = 0
//   streams_both_ways = 75
//   pageable_both_ways = 0
#include <cuda_runtime.h>
#define OWN_ADD_STREAMS
#include <memory>
#include <stdexcept>
// Ends the program, saying where, if a CUDA call went wrong.
#define CHECK(call)                                                                  \
  do {                                                                               \
    cudaError_t error = (call);                                                      \
    if (error != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      throw std::runtime_error(cudaGetErrorString(error));                           \
    }                                                                                \
  } while (0)
class Stream {
  cudaStream_t stream;

 public:
  Stream() { CHECK(cudaStreamCreate(&stream)); }
  Stream(const Stream &) = delete;
  ~Stream() { cudaStreamDestroy(stream); }
  operator cudaStream_t() const { return stream; }
};
class Event {
  cudaEvent_t event;

 public:
  Event() { CHECK(cudaEventCreate(&event)); }
  Event(const Event &) = delete;
  ~Event() { cudaEventDestroy(event); }
  operator cudaEvent_t() const { return event; }
};
class DeviceVector {
  float *elements;

 public:
  explicit DeviceVector(int n) { CHECK(cudaMalloc(&elements, n * sizeof(float))); }
  DeviceVector(const DeviceVector &) = delete;
  ~DeviceVector() { cudaFree(elements); }
  operator float *() const { return elements; }
};
class PinnedVector {
  float *elements;

 public:
  explicit PinnedVector(int n) { CHECK(cudaMallocHost(&elements, n * sizeof(float))); }
  PinnedVector(const float *from, int n) : PinnedVector(n) { std::copy(from, from + n, elements); }
  PinnedVector(const PinnedVector &) = delete;
  ~PinnedVector() { cudaFreeHost(elements); }
  operator float *() const { return elements; }
};
#include "rest.h"

// Depth first: all of a piece, then all of the next.
void add_streams(const float *a, const float *b, float *out, int n, int streams,
                 float *milliseconds) {
  DeviceVector device_a(n), device_b(n), device_out(n);
  PinnedVector pinned_a(a, n), pinned_b(b, n), pinned_out(n);
  std::unique_ptr<Stream[]> stream(new Stream[streams]);
  Event start, stop;
  CHECK(cudaEventRecord(start));
  for (int i = 0; i < streams; i++) {
    auto [first, count] = piece_of(n, streams, i);
    if (count == 0) break;
    size_t bytes = count * sizeof(float);
    CHECK(cudaMemcpyAsync(device_a + first, pinned_a + first, bytes, cudaMemcpyHostToDevice,
                          stream[i]));
    CHECK(cudaMemcpyAsync(device_b + first, pinned_b + first, bytes, cudaMemcpyHostToDevice,
                          stream[i]));
    add_kernel<<<blocks_for(count), BLOCK, 0, stream[i]>>>(device_a + first, device_b + first,
                                                           device_out + first, count);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(pinned_out + first, device_out + first, bytes, cudaMemcpyDeviceToHost,
                          stream[i]));
  }
  CHECK(cudaEventRecord(stop));
  *milliseconds = milliseconds_between(start, stop);
  std::copy(pinned_out + 0, pinned_out + n, out);
}
