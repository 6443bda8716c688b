// cudaMemcpyDefault everywhere: the direction follows from the addresses.
// verdict: pass
//
//   default_and_user = 1
//   two_users = 2
//   default_and_non_blocking = 2
//   pinned_both_ways = 0
//   streams_both_ways = 75
//   pageable_both_ways = 0
#define OWN_ADD_PAGEABLE
#define OWN_ADD_PINNED
#define OWN_ADD_STREAMS
#define OWN_ADD_BREADTH_FIRST
#define OWN_ADD_HALVES
#define OWN_HALVES_IN
#define OWN_PAGEABLE_STREAMS
#include "rest.h"

// --- Step 1: pageable memory. The vectors of the host are as malloc would give them. ---

void add_pageable(const float *a, const float *b, float *out, int n, float *milliseconds) {
  Device device = device_new(n);
  CHECK(cudaEventRecord(device.start));
  size_t bytes = n * sizeof(float);
  CHECK(cudaMemcpy(device.a, a, bytes, cudaMemcpyDefault));
  CHECK(cudaMemcpy(device.b, b, bytes, cudaMemcpyDefault));
  add_kernel<<<blocks_for(n), BLOCK>>>(device.a, device.b, device.out, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out, device.out, bytes, cudaMemcpyDefault));
  CHECK(cudaEventRecord(device.stop));
  *milliseconds = milliseconds_between(device.start, device.stop);
  device_delete(device);
}

void add_pinned(const float *a, const float *b, float *out, int n, float *milliseconds) {
  Device device = device_new(n);
  Pinned pinned = pinned_new(a, b, n);
  CHECK(cudaEventRecord(device.start));
  size_t bytes = n * sizeof(float);
  CHECK(cudaMemcpyAsync(device.a, pinned.a, bytes, cudaMemcpyDefault));
  CHECK(cudaMemcpyAsync(device.b, pinned.b, bytes, cudaMemcpyDefault));
  add_kernel<<<blocks_for(n), BLOCK>>>(device.a, device.b, device.out, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpyAsync(pinned.out, device.out, bytes, cudaMemcpyDefault));
  CHECK(cudaEventRecord(device.stop));
  *milliseconds = milliseconds_between(device.start, device.stop);
  memcpy(out, pinned.out, bytes);
  pinned_delete(pinned);
  device_delete(device);
}

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
    CHECK(cudaMemcpyAsync(device.a + first, pinned.a + first, bytes, cudaMemcpyDefault, stream[i]));
    CHECK(cudaMemcpyAsync(device.b + first, pinned.b + first, bytes, cudaMemcpyDefault, stream[i]));
    add_kernel<<<blocks_for(count), BLOCK, 0, stream[i]>>>(device.a + first, device.b + first,
                                                           device.out + first, count);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(pinned.out + first, device.out + first, bytes, cudaMemcpyDefault,
                          stream[i]));
  }
  CHECK(cudaEventRecord(device.stop));
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
  CHECK(cudaEventRecord(device.start));
  for (int i = 0; i < streams; i++) {
    auto [first, count] = piece_of(n, streams, i);
    if (count == 0) break;
    size_t bytes = count * sizeof(float);
    CHECK(cudaMemcpyAsync(device.a + first, pinned.a + first, bytes, cudaMemcpyDefault, stream[i]));
    CHECK(cudaMemcpyAsync(device.b + first, pinned.b + first, bytes, cudaMemcpyDefault, stream[i]));
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
                          cudaMemcpyDefault, stream[i]));
  }
  CHECK(cudaEventRecord(device.stop));
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
  CHECK(cudaEventRecord(device.start));
  size_t bytes = n * sizeof(float);
  cudaEvent_t copied;
  CHECK(cudaEventCreateWithFlags(&copied, cudaEventDisableTiming));
  CHECK(cudaMemcpyAsync(device.a, pinned.a, bytes, cudaMemcpyDefault, stream[0]));
  CHECK(cudaMemcpyAsync(device.b, pinned.b, bytes, cudaMemcpyDefault, stream[0]));
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
                          cudaMemcpyDefault, stream[i]));
  }
  CHECK(cudaEventRecord(device.stop));
  *milliseconds = milliseconds_between(device.start, device.stop);
  CHECK(cudaEventDestroy(copied));
  memcpy(out, pinned.out, bytes);
  streams_delete(stream);
  pinned_delete(pinned);
  device_delete(device);
}

// --- What follows is to be looked at, and stays as it is. ---

// Copies a and b, and lets a kernel in either stream add half of them.
static void halves_in(const float *a, const float *b, float *out, int n, float *milliseconds,
                      cudaStream_t first, cudaStream_t second) {
  Device device = device_new(n);
  size_t bytes = n * sizeof(float);
  int half = n / 2, multiprocessors;
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  CHECK(cudaEventRecord(device.start));
  CHECK(cudaMemcpy(device.a, a, bytes, cudaMemcpyDefault));
  CHECK(cudaMemcpy(device.b, b, bytes, cudaMemcpyDefault));
  CHECK(cudaDeviceSynchronize());
  add_kernel<<<multiprocessors / 2, BLOCK, 0, first>>>(device.a, device.b, device.out, half);
  add_kernel<<<multiprocessors / 2, BLOCK, 0, second>>>(device.a + half, device.b + half,
                                                        device.out + half, n - half);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(out, device.out, bytes, cudaMemcpyDefault));
  CHECK(cudaEventRecord(device.stop));
  *milliseconds = milliseconds_between(device.start, device.stop);
  device_delete(device);
}

// Streams, but the vectors of the host are pageable.
void pageable_streams(const float *a, const float *b, float *out, int n, int streams,
                      float *milliseconds) {
  Device device = device_new(n);
  std::vector<cudaStream_t> stream(streams);
  for (cudaStream_t &s : stream) CHECK(cudaStreamCreate(&s));
  CHECK(cudaEventRecord(device.start));
  int size = (n + streams - 1) / streams;
  for (int i = 0, first = 0; first < n; i++, first += size) {
    int count = std::min(size, n - first);
    size_t bytes = count * sizeof(float);
    CHECK(cudaMemcpyAsync(device.a + first, a + first, bytes, cudaMemcpyDefault, stream[i]));
    CHECK(cudaMemcpyAsync(device.b + first, b + first, bytes, cudaMemcpyDefault, stream[i]));
    add_kernel<<<(count + BLOCK - 1) / BLOCK, BLOCK, 0, stream[i]>>>(
        device.a + first, device.b + first, device.out + first, count);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(out + first, device.out + first, bytes, cudaMemcpyDefault, stream[i]));
  }
  CHECK(cudaEventRecord(device.stop));
  *milliseconds = milliseconds_between(device.start, device.stop);
  for (cudaStream_t s : stream) CHECK(cudaStreamDestroy(s));
  device_delete(device);
}
