// What another way to do lab 6 does not touch: the functions of its solution.
// A file that has a function of its own says so before it includes this: #define OWN_ADD_STREAMS.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>
#include <vector>
#define CHECK(call)                                                                  \
  do {                                                                               \
    cudaError_t error = (call);                                                      \
    if (error != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      exit(EXIT_FAILURE);                                                            \
    }                                                                                \
  } while (0)

#ifndef OWN_CONSTEXPR_INT_BLOCK
constexpr int BLOCK = 256;  // threads of a block
#endif
#ifndef OWN_DEVICE
// What each step needs on the device: three vectors of n floats, and two events around its work.
struct Device {
  float *a, *b, *out;
  cudaEvent_t start, stop;
};
#endif
#ifndef OWN_PINNED
// --- Step 2: pinned memory, still one thing after another. ---

// Three vectors of the host's in pinned memory.
struct Pinned {
  float *a, *b, *out;
};
#endif
#ifndef OWN_PIECE
// The vectors in as many pieces as there are streams, one a stream: of piece i all elements from
// first on. A piece may be shorter than the others, or empty.
struct Piece {
  int first, count;
};
#endif
#ifndef OWN_CONSTEXPR_INT_VARIABLES
// Vectors of up to so many elements, which are there without being allocated.
constexpr int VARIABLES = 1000;
#endif
#ifndef OWN___MANAGED___FLOAT_MANAGED_A_VARIABLES_MANAGED_B_VARIABLES_MANAGED_OUT_VARIABLES_
__managed__ float managed_a[VARIABLES], managed_b[VARIABLES], managed_out[VARIABLES];
#endif

__global__ void add_kernel(const float *a, const float *b, float *out, int n);
static int blocks_for(int n);
static Device device_new(int n);
static void device_delete(const Device &device);
static float milliseconds_between(cudaEvent_t start, cudaEvent_t stop);
void add_pageable(const float *a, const float *b, float *out, int n, float *milliseconds);
static Pinned pinned_new(const float *a, const float *b, int n);
static void pinned_delete(const Pinned &pinned);
void add_pinned(const float *a, const float *b, float *out, int n, float *milliseconds);
static std::vector<cudaStream_t> streams_new(int count);
static void streams_delete(const std::vector<cudaStream_t> &streams);
static Piece piece_of(int n, int streams, int i);
void add_streams(const float *a, const float *b, float *out, int n, int streams,
                 float *milliseconds);
void add_breadth_first(const float *a, const float *b, float *out, int n, int streams,
                       float *milliseconds);
static int blocks_of_half();
void add_halves(const float *a, const float *b, float *out, int n, float *milliseconds);
void add_mapped(const float *a, const float *b, float *out, int n, float *milliseconds);
void add_managed(const float *a, const float *b, float *out, int n, float *milliseconds);
static cudaError_t prefetch(const void *pages, size_t bytes, bool to_device);
void add_prefetched(const float *a, const float *b, float *out, int n, float *milliseconds);
void add_variables(const float *a, const float *b, float *out, int n, float *milliseconds);
static void halves_in(const float *a, const float *b, float *out, int n, float *milliseconds,
                      cudaStream_t first, cudaStream_t second);
void halves_default_and_user(const float *a, const float *b, float *out, int n,
                             float *milliseconds);
void halves_two_users(const float *a, const float *b, float *out, int n, float *milliseconds);
void halves_non_blocking(const float *a, const float *b, float *out, int n, float *milliseconds);
void pageable_streams(const float *a, const float *b, float *out, int n, int streams,
                      float *milliseconds);

#ifndef OWN_ADD_KERNEL
// out[i] = a[i] + b[i]. The grid may have any size: a thread goes on by the number of threads.
__global__ void add_kernel(const float *a, const float *b, float *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = a[i] + b[i];
}
#endif

#ifndef OWN_BLOCKS_FOR
// As many blocks as it takes to have a thread for each element.
static int blocks_for(int n) { return (n + BLOCK - 1) / BLOCK; }
#endif

#ifndef OWN_DEVICE_NEW
static Device device_new(int n) {
  Device device;
  CHECK(cudaMalloc(&device.a, n * sizeof(float)));
  CHECK(cudaMalloc(&device.b, n * sizeof(float)));
  CHECK(cudaMalloc(&device.out, n * sizeof(float)));
  CHECK(cudaEventCreate(&device.start));
  CHECK(cudaEventCreate(&device.stop));
  return device;
}
#endif

#ifndef OWN_DEVICE_DELETE
static void device_delete(const Device &device) {
  CHECK(cudaFree(device.a));
  CHECK(cudaFree(device.b));
  CHECK(cudaFree(device.out));
  CHECK(cudaEventDestroy(device.start));
  CHECK(cudaEventDestroy(device.stop));
}
#endif

#ifndef OWN_MILLISECONDS_BETWEEN
// Waits for the second event; the time between the two.
static float milliseconds_between(cudaEvent_t start, cudaEvent_t stop) {
  float milliseconds;
  CHECK(cudaEventSynchronize(stop));
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  return milliseconds;
}
#endif

#ifndef OWN_ADD_PAGEABLE
// --- Step 1: pageable memory. The vectors of the host are as malloc would give them. ---

void add_pageable(const float *a, const float *b, float *out, int n, float *milliseconds) {
  Device device = device_new(n);
  CHECK(cudaEventRecord(device.start));
  size_t bytes = n * sizeof(float);
  CHECK(cudaMemcpy(device.a, a, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device.b, b, bytes, cudaMemcpyHostToDevice));
  add_kernel<<<blocks_for(n), BLOCK>>>(device.a, device.b, device.out, n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(out, device.out, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaEventRecord(device.stop));
  *milliseconds = milliseconds_between(device.start, device.stop);
  device_delete(device);
}
#endif

#ifndef OWN_PINNED_NEW
// Pinned vectors with what is in a and b.
static Pinned pinned_new(const float *a, const float *b, int n) {
  Pinned pinned;
  CHECK(cudaMallocHost(&pinned.a, n * sizeof(float)));
  CHECK(cudaMallocHost(&pinned.b, n * sizeof(float)));
  CHECK(cudaMallocHost(&pinned.out, n * sizeof(float)));
  memcpy(pinned.a, a, n * sizeof(float));
  memcpy(pinned.b, b, n * sizeof(float));
  return pinned;
}
#endif

#ifndef OWN_PINNED_DELETE
static void pinned_delete(const Pinned &pinned) {
  CHECK(cudaFreeHost(pinned.a));
  CHECK(cudaFreeHost(pinned.b));
  CHECK(cudaFreeHost(pinned.out));
}
#endif

#ifndef OWN_ADD_PINNED
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
  memcpy(out, pinned.out, bytes);
  pinned_delete(pinned);
  device_delete(device);
}
#endif

#ifndef OWN_STREAMS_NEW
// --- Step 3: streams. What is in one stream runs in order; streams run beside one another. ---

static std::vector<cudaStream_t> streams_new(int count) {
  std::vector<cudaStream_t> streams(count);
  for (cudaStream_t &stream : streams) CHECK(cudaStreamCreate(&stream));
  return streams;
}
#endif

#ifndef OWN_STREAMS_DELETE
static void streams_delete(const std::vector<cudaStream_t> &streams) {
  for (cudaStream_t stream : streams) CHECK(cudaStreamDestroy(stream));
}
#endif

#ifndef OWN_PIECE_OF
static Piece piece_of(int n, int streams, int i) {
  int size = (n + streams - 1) / streams, first = std::min(n, i * size);
  return {first, std::min(size, n - first)};
}
#endif

#ifndef OWN_ADD_STREAMS
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
    add_kernel<<<blocks_for(count), BLOCK, 0, stream[i]>>>(device.a + first, device.b + first,
                                                           device.out + first, count);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(pinned.out + first, device.out + first, bytes, cudaMemcpyDeviceToHost,
                          stream[i]));
  }
  CHECK(cudaEventRecord(device.stop));
  *milliseconds = milliseconds_between(device.start, device.stop);
  memcpy(out, pinned.out, n * sizeof(float));
  streams_delete(stream);
  pinned_delete(pinned);
  device_delete(device);
}
#endif

#ifndef OWN_ADD_BREADTH_FIRST
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
  CHECK(cudaEventRecord(device.stop));
  *milliseconds = milliseconds_between(device.start, device.stop);
  memcpy(out, pinned.out, n * sizeof(float));
  streams_delete(stream);
  pinned_delete(pinned);
  device_delete(device);
}
#endif

#ifndef OWN_BLOCKS_OF_HALF
// Half of the GPU: a block for every second multiprocessor, however long the vectors are.
static int blocks_of_half() {
  int multiprocessors;
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  return multiprocessors / 2;
}
#endif

#ifndef OWN_ADD_HALVES
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
  CHECK(cudaEventRecord(device.stop));
  *milliseconds = milliseconds_between(device.start, device.stop);
  CHECK(cudaEventDestroy(copied));
  memcpy(out, pinned.out, bytes);
  streams_delete(stream);
  pinned_delete(pinned);
  device_delete(device);
}
#endif

#ifndef OWN_ADD_MAPPED
// --- Step 4: mapped memory. The kernel itself reads and writes the memory of the host. ---

void add_mapped(const float *a, const float *b, float *out, int n, float *milliseconds) {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  size_t bytes = n * sizeof(float);
  int can_map;
  CHECK(cudaDeviceGetAttribute(&can_map, cudaDevAttrCanMapHostMemory, 0));
  if (!can_map) {
    fprintf(stderr, "this device cannot map memory of the host\n");
    exit(EXIT_FAILURE);
  }
  float *host[3], *device[3];
  for (int i = 0; i < 3; i++) {
    CHECK(cudaHostAlloc(&host[i], bytes, cudaHostAllocMapped));
    CHECK(cudaHostGetDevicePointer(&device[i], host[i], 0));
  }
  memcpy(host[0], a, bytes);
  memcpy(host[1], b, bytes);
  CHECK(cudaEventRecord(start));
  add_kernel<<<blocks_for(n), BLOCK>>>(device[0], device[1], device[2], n);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(stop));
  *milliseconds = milliseconds_between(start, stop);
  memcpy(out, host[2], bytes);
  for (float *vector : host) CHECK(cudaFreeHost(vector));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
}
#endif

#ifndef OWN_ADD_MANAGED
// --- Step 5: managed memory. One pointer for both; pages move to whoever touches them. ---

void add_managed(const float *a, const float *b, float *out, int n, float *milliseconds) {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  size_t bytes = n * sizeof(float);
  float *vector[3];
  for (float *&v : vector) CHECK(cudaMallocManaged(&v, bytes));
  memcpy(vector[0], a, bytes);
  memcpy(vector[1], b, bytes);
  CHECK(cudaEventRecord(start));
  add_kernel<<<blocks_for(n), BLOCK>>>(vector[0], vector[1], vector[2], n);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(stop));
  *milliseconds = milliseconds_between(start, stop);
  memcpy(out, vector[2], bytes);
  for (float *v : vector) CHECK(cudaFree(v));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
}
#endif

#ifndef OWN_PREFETCH
// Moves pages to the device, or to the host, before they are touched there.
static cudaError_t prefetch(const void *pages, size_t bytes, bool to_device) {
#if CUDART_VERSION >= 13000
  cudaMemLocation there = {to_device ? cudaMemLocationTypeDevice : cudaMemLocationTypeHost, 0};
  return cudaMemPrefetchAsync(pages, bytes, there, 0, 0);
#else
  return cudaMemPrefetchAsync(pages, bytes, to_device ? 0 : cudaCpuDeviceId, 0);
#endif
}
#endif

#ifndef OWN_ADD_PREFETCHED
void add_prefetched(const float *a, const float *b, float *out, int n, float *milliseconds) {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  size_t bytes = n * sizeof(float);
  float *vector[3];
  for (float *&v : vector) CHECK(cudaMallocManaged(&v, bytes));
  memcpy(vector[0], a, bytes);
  memcpy(vector[1], b, bytes);
  CHECK(cudaEventRecord(start));
  for (float *v : vector) CHECK(prefetch(v, bytes, true));
  add_kernel<<<blocks_for(n), BLOCK>>>(vector[0], vector[1], vector[2], n);
  CHECK(cudaGetLastError());
  CHECK(prefetch(vector[2], bytes, false));
  CHECK(cudaEventRecord(stop));
  *milliseconds = milliseconds_between(start, stop);
  memcpy(out, vector[2], bytes);
  for (float *v : vector) CHECK(cudaFree(v));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
}
#endif

#ifndef OWN_ADD_VARIABLES
// n is at most VARIABLES.
void add_variables(const float *a, const float *b, float *out, int n, float *milliseconds) {
  cudaEvent_t start, stop;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  memcpy(managed_a, a, n * sizeof(float));
  memcpy(managed_b, b, n * sizeof(float));
  CHECK(cudaEventRecord(start));
  add_kernel<<<blocks_for(n), BLOCK>>>(managed_a, managed_b, managed_out, n);
  CHECK(cudaGetLastError());
  CHECK(cudaEventRecord(stop));
  *milliseconds = milliseconds_between(start, stop);
  memcpy(out, managed_out, n * sizeof(float));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
}
#endif

#ifndef OWN_HALVES_IN
// --- What follows is to be looked at, and stays as it is. ---

// Copies a and b, and lets a kernel in either stream add half of them.
static void halves_in(const float *a, const float *b, float *out, int n, float *milliseconds,
                      cudaStream_t first, cudaStream_t second) {
  Device device = device_new(n);
  size_t bytes = n * sizeof(float);
  int half = n / 2, multiprocessors;
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  CHECK(cudaEventRecord(device.start));
  CHECK(cudaMemcpy(device.a, a, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device.b, b, bytes, cudaMemcpyHostToDevice));
  CHECK(cudaDeviceSynchronize());
  add_kernel<<<multiprocessors / 2, BLOCK, 0, first>>>(device.a, device.b, device.out, half);
  add_kernel<<<multiprocessors / 2, BLOCK, 0, second>>>(device.a + half, device.b + half,
                                                        device.out + half, n - half);
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaMemcpy(out, device.out, bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaEventRecord(device.stop));
  *milliseconds = milliseconds_between(device.start, device.stop);
  device_delete(device);
}
#endif

#ifndef OWN_HALVES_DEFAULT_AND_USER
void halves_default_and_user(const float *a, const float *b, float *out, int n,
                             float *milliseconds) {
  cudaStream_t user;
  CHECK(cudaStreamCreate(&user));
  halves_in(a, b, out, n, milliseconds, 0, user);
  CHECK(cudaStreamDestroy(user));
}
#endif

#ifndef OWN_HALVES_TWO_USERS
void halves_two_users(const float *a, const float *b, float *out, int n, float *milliseconds) {
  cudaStream_t first, second;
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreate(&second));
  halves_in(a, b, out, n, milliseconds, first, second);
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
}
#endif

#ifndef OWN_HALVES_NON_BLOCKING
void halves_non_blocking(const float *a, const float *b, float *out, int n, float *milliseconds) {
  cudaStream_t user;
  CHECK(cudaStreamCreateWithFlags(&user, cudaStreamNonBlocking));
  halves_in(a, b, out, n, milliseconds, 0, user);
  CHECK(cudaStreamDestroy(user));
}
#endif

#ifndef OWN_PAGEABLE_STREAMS
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
    CHECK(cudaMemcpyAsync(device.a + first, a + first, bytes, cudaMemcpyHostToDevice, stream[i]));
    CHECK(cudaMemcpyAsync(device.b + first, b + first, bytes, cudaMemcpyHostToDevice, stream[i]));
    add_kernel<<<(count + BLOCK - 1) / BLOCK, BLOCK, 0, stream[i]>>>(
        device.a + first, device.b + first, device.out + first, count);
    CHECK(cudaGetLastError());
    CHECK(
        cudaMemcpyAsync(out + first, device.out + first, bytes, cudaMemcpyDeviceToHost, stream[i]));
  }
  CHECK(cudaEventRecord(device.stop));
  *milliseconds = milliseconds_between(device.start, device.stop);
  for (cudaStream_t s : stream) CHECK(cudaStreamDestroy(s));
  device_delete(device);
}
#endif
