// Streams that do not wait for the default stream: both events are in the first, which waits for all others by an
// event each.
// verdict: pass
//
//   default_and_user = 1
//   two_users = 2
//   default_and_non_blocking = 2
//   pinned_both_ways = 0
//   streams_both_ways = 75
//   pageable_both_ways = 0
#define OWN_STREAMS_NEW
#define OWN_ADD_STREAMS
#define OWN_ADD_BREADTH_FIRST
#define OWN_ADD_HALVES
#include "rest.h"

// --- Step 3: streams. What is in one stream runs in order; streams run beside one another. ---

static std::vector<cudaStream_t> streams_new(int count) {
  std::vector<cudaStream_t> streams(count);
  for (cudaStream_t &stream : streams)
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  return streams;
}

// Lets all others wait for what is in the first stream, or the first for what is in the others.
static void fork_streams(const std::vector<cudaStream_t> &streams, cudaEvent_t begun) {
  CHECK(cudaEventRecord(begun, streams[0]));
  for (size_t i = 1; i < streams.size(); i++) CHECK(cudaStreamWaitEvent(streams[i], begun, 0));
}

static void join_streams(const std::vector<cudaStream_t> &streams) {
  cudaEvent_t ended;
  CHECK(cudaEventCreateWithFlags(&ended, cudaEventDisableTiming));
  for (size_t i = 1; i < streams.size(); i++) {
    CHECK(cudaEventRecord(ended, streams[i]));
    CHECK(cudaStreamWaitEvent(streams[0], ended, 0));
  }
  CHECK(cudaEventDestroy(ended));
}

// Depth first: all of a piece, then all of the next.
void add_streams(const float *a, const float *b, float *out, int n, int streams,
                 float *milliseconds) {
  Device device = device_new(n);
  Pinned pinned = pinned_new(a, b, n);
  std::vector<cudaStream_t> stream = streams_new(streams);
  fork_streams(stream, device.start);
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
  }
  join_streams(stream);
  CHECK(cudaEventRecord(device.stop, stream[0]));
  *milliseconds = milliseconds_between(device.start, device.stop);
  memcpy(out, pinned.out, n * sizeof(float));
  streams_delete(stream);
  pinned_delete(pinned);
  device_delete(device);
}

// Breadth first: all copies to the device, then all kernels, then all copies to the host.
void add_breadth_first(const float *a, const float *b, float *out, int n, int streams,
                       float *milliseconds) {
  Device device = device_new(n);
  Pinned pinned = pinned_new(a, b, n);
  std::vector<cudaStream_t> stream = streams_new(streams);
  fork_streams(stream, device.start);
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
    add_kernel<<<blocks_for(count), BLOCK, 0, stream[i]>>>(device.a + first, device.b + first,
                                                           device.out + first, count);
    CHECK(cudaGetLastError());
  }
  for (int i = 0; i < streams; i++) {
    auto [first, count] = piece_of(n, streams, i);
    if (count == 0) break;
    CHECK(cudaMemcpyAsync(pinned.out + first, device.out + first, count * sizeof(float),
                          cudaMemcpyDeviceToHost, stream[i]));
  }
  join_streams(stream);
  CHECK(cudaEventRecord(device.stop, stream[0]));
  *milliseconds = milliseconds_between(device.start, device.stop);
  memcpy(out, pinned.out, n * sizeof(float));
  streams_delete(stream);
  pinned_delete(pinned);
  device_delete(device);
}

// Two kernels, each of which adds half of the vectors with half of the GPU, side by side.
void add_halves(const float *a, const float *b, float *out, int n, float *milliseconds) {
  Device device = device_new(n);
  Pinned pinned = pinned_new(a, b, n);
  std::vector<cudaStream_t> stream = streams_new(2);
  fork_streams(stream, device.start);
  size_t bytes = n * sizeof(float);
  cudaEvent_t copied;
  CHECK(cudaEventCreateWithFlags(&copied, cudaEventDisableTiming));
  CHECK(cudaMemcpyAsync(device.a, pinned.a, bytes, cudaMemcpyHostToDevice, stream[0]));
  CHECK(cudaMemcpyAsync(device.b, pinned.b, bytes, cudaMemcpyHostToDevice, stream[0]));
  CHECK(cudaEventRecord(copied, stream[0]));
  CHECK(cudaStreamWaitEvent(stream[1], copied, 0));
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
  join_streams(stream);
  CHECK(cudaEventRecord(device.stop, stream[0]));
  *milliseconds = milliseconds_between(device.start, device.stop);
  CHECK(cudaEventDestroy(copied));
  memcpy(out, pinned.out, bytes);
  streams_delete(stream);
  pinned_delete(pinned);
  device_delete(device);
}
