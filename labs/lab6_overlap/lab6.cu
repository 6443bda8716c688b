// Lab 6: the road between host and device: pageable and pinned memory, streams, mapped and managed
// memory. The kernel is there; what is missing is the code of the host around it.
//
//   make lab6 && ./grade lab6              build and grade labs/lab6_overlap/lab6.cu
//   ./grade lab6 --timeline                when each copy and each kernel ran, stream by stream
//   ./grade lab6 --sweep                   the time with 1 to 128 streams
//
// Every function adds two vectors of the host's, out = a + b, and writes to *milliseconds how long
// that took, from the first copy (or kernel) to the end of the last.
//
// ANSWERS: predict first, then run. Write a number behind each =.
//
// The functions at the end of this file let two kernels add half of the vectors each, with half of
// the GPU: how many kernels are under way at once
// with one in the default stream and one in a stream of cudaStreamCreate; in two such streams;
// with one in the default stream and one in a stream of cudaStreamNonBlocking?
//   default_and_user =
//   two_users =
//   default_and_non_blocking =
// How many percent of the result are copied to the host while something is copied to the device
// in add_pinned; in add_streams with 4 streams; in pageable_streams below, with 4 streams?
//   pinned_both_ways =
//   streams_both_ways =
//   pageable_both_ways =
#include <cuda_runtime.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

// Ends the program, saying where, if a CUDA call went wrong.
#define CHECK(call)                                                                  \
  do {                                                                               \
    cudaError_t error = (call);                                                      \
    if (error != cudaSuccess) {                                                      \
      fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      exit(EXIT_FAILURE);                                                            \
    }                                                                                \
  } while (0)

constexpr int BLOCK = 256;  // threads of a block

// out[i] = a[i] + b[i]. The grid may have any size: a thread goes on by the number of threads.
__global__ void add_kernel(const float *a, const float *b, float *out, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    out[i] = a[i] + b[i];
}

// As many blocks as it takes to have a thread for each element.
static int blocks_for(int n) { return (n + BLOCK - 1) / BLOCK; }

// Does the work between two events in the default stream, and waits for it. Returns how many
// milliseconds it took. In every step, what is timed goes between the braces of
//   *milliseconds = timed([&] { .. });
template <typename Work>
static float timed(Work work) {
  cudaEvent_t start, stop;
  float milliseconds;
  CHECK(cudaEventCreate(&start));
  CHECK(cudaEventCreate(&stop));
  CHECK(cudaEventRecord(start));
  work();
  CHECK(cudaEventRecord(stop));
  CHECK(cudaEventSynchronize(stop));
  CHECK(cudaEventElapsedTime(&milliseconds, start, stop));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
  return milliseconds;
}

struct Vectors {
  float *a, *b, *out;
};

// Three vectors of n floats in the memory of the device.
static Vectors device_new(int n) {
  Vectors device;
  for (float **vector : {&device.a, &device.b, &device.out})
    CHECK(cudaMalloc(vector, n * sizeof(float)));
  return device;
}

static void device_delete(Vectors device) {
  for (float *vector : {device.a, device.b, device.out}) CHECK(cudaFree(vector));
}

// --- Step 1: pageable memory. The vectors of the host are as malloc would give them. ---

void add_pageable(const float *a, const float *b, float *out, int n, float *milliseconds) {
  Vectors device = device_new(n);
  *milliseconds = timed([&] {
    // TODO(1) Copy a and b to the device, launch add_kernel, copy the result to out. Ask whether
    // the launch went well: CHECK(cudaGetLastError()).
    (void)a, (void)b, (void)out, (void)blocks_for;
  });
  device_delete(device);
}

// --- Step 2: pinned memory, still one thing after another. ---

// Three vectors of the host's in pinned memory, with what is in a and b.
static Vectors pinned_new(const float *a, const float *b, int n) {
  Vectors pinned = {};
  // TODO(2) Allocate them with cudaMallocHost (it fails sooner than malloc: pinned pages cannot be
  // swapped out), and memcpy a and b there. In pinned_delete, free them with cudaFreeHost.
  (void)a, (void)b, (void)n;
  return pinned;
}

static void pinned_delete(Vectors pinned) {
  (void)pinned;
}

void add_pinned(const float *a, const float *b, float *out, int n, float *milliseconds) {
  Vectors device = device_new(n), pinned = pinned_new(a, b, n);
  *milliseconds = timed([&] {
    // TODO(3) As in step 1, but with cudaMemcpyAsync, from pinned.a and pinned.b and to pinned.out.
    // Copy pinned.out to out with memcpy when all has ended, and not before: behind timed(..).
  });
  (void)out;
  pinned_delete(pinned);
  device_delete(device);
}

// --- Step 3: streams. What is in one stream runs in order; streams run beside one another. ---

static std::vector<cudaStream_t> streams_new(int count) {
  std::vector<cudaStream_t> streams(count);
  // TODO(4) Create them with cudaStreamCreate; in streams_delete, destroy them.
  return streams;
}

static void streams_delete(const std::vector<cudaStream_t> &streams) {
  (void)streams;
}

// The vectors in as many pieces as there are streams, one a stream: piece i has `count` elements
// from `first` on. It may be shorter than the others, or empty.
struct Piece {
  int first, count;
};

static Piece piece_of(int n, int streams, int i) {
  int size = (n + streams - 1) / streams, first = std::min(n, i * size);
  return {first, std::min(size, n - first)};
}

// Depth first: all of a piece, then all of the next.
void add_streams(const float *a, const float *b, float *out, int n, int streams,
                 float *milliseconds) {
  Vectors device = device_new(n), pinned = pinned_new(a, b, n);
  std::vector<cudaStream_t> stream = streams_new(streams);
  *milliseconds = timed([&] {
    // TODO(5) For each piece that is not empty, in its stream: both copies to the device, the
    // kernel, the copy to pinned.out. timed() waits for all streams of cudaStreamCreate: its second
    // event is in the default stream, which waits for them. Then memcpy to out.
    (void)piece_of;
  });
  (void)out;
  streams_delete(stream);
  pinned_delete(pinned);
  device_delete(device);
}

// Breadth first: all copies to the device, then all kernels, then all copies to the host.
void add_breadth_first(const float *a, const float *b, float *out, int n, int streams,
                       float *milliseconds) {
  Vectors device = device_new(n), pinned = pinned_new(a, b, n);
  std::vector<cudaStream_t> stream = streams_new(streams);
  *milliseconds = timed([&] {
    // TODO(6) The same calls in three loops over the pieces.
  });
  (void)out;
  streams_delete(stream);
  pinned_delete(pinned);
  device_delete(device);
}

// Half of the GPU: a block for every second multiprocessor, however long the vectors are.
static int blocks_of_half() {
  int multiprocessors;
  CHECK(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
  return multiprocessors / 2;
}

// Two kernels, each of which adds half of the vectors with half of the GPU, side by side.
void add_halves(const float *a, const float *b, float *out, int n, float *milliseconds) {
  Vectors device = device_new(n), pinned = pinned_new(a, b, n);
  std::vector<cudaStream_t> stream = streams_new(2);
  cudaEvent_t copied;
  CHECK(cudaEventCreateWithFlags(&copied, cudaEventDisableTiming));
  *milliseconds = timed([&] {
    // TODO(7) In stream[0], copy all of a and b to the device, and record `copied` behind that. Let
    // stream[1] wait for it: cudaStreamWaitEvent. Then launch blocks_of_half() blocks in either
    // stream, for its half of the vectors, which are piece_of(n, 2, 0) and piece_of(n, 2, 1), both
    // before any copy back. Copy the halves to the host.
    (void)blocks_of_half;
  });
  (void)out;
  CHECK(cudaEventDestroy(copied));
  streams_delete(stream);
  pinned_delete(pinned);
  device_delete(device);
}

// --- Step 4: mapped memory. The kernel itself reads and writes the memory of the host. ---

void add_mapped(const float *a, const float *b, float *out, int n, float *milliseconds) {
  // TODO(8) Ask whether the device can: cudaDevAttrCanMapHostMemory; if not, end the program.
  // Allocate three vectors with cudaHostAlloc(.., cudaHostAllocMapped), memcpy a and b there, get
  // the device's pointers to them with cudaHostGetDevicePointer. Time the kernel: nothing is
  // copied. When it has ended, memcpy to out, and free the vectors.
  (void)a, (void)b, (void)out, (void)n;
  *milliseconds = timed([&] {});
}

// --- Step 5: managed memory. One pointer for both; pages move to whoever touches them. ---

void add_managed(const float *a, const float *b, float *out, int n, float *milliseconds) {
  // TODO(9) Three vectors of cudaMallocManaged: memcpy, kernel (timed), memcpy, cudaFree. The host
  // must not touch them while the kernel runs.
  (void)a, (void)b, (void)out, (void)n;
  *milliseconds = timed([&] {});
}

// Moves pages to the device, or to the host, before they are touched there.
static cudaError_t prefetch(const void *pages, size_t bytes, bool to_device) {
#if CUDART_VERSION >= 13000
  cudaMemLocation there = {to_device ? cudaMemLocationTypeDevice : cudaMemLocationTypeHost, 0};
  return cudaMemPrefetchAsync(pages, bytes, there, 0, 0);
#else
  return cudaMemPrefetchAsync(pages, bytes, to_device ? 0 : cudaCpuDeviceId, 0);
#endif
}

void add_prefetched(const float *a, const float *b, float *out, int n, float *milliseconds) {
  // TODO(10) The same; but prefetches are timed, too: of all three vectors to the device, before
  // the kernel, and of the result to the host, after it.
  (void)a, (void)b, (void)out, (void)n, (void)prefetch;
  *milliseconds = timed([&] {});
}

// Vectors of up to so many elements, which are there without being allocated.
constexpr int VARIABLES = 1000;
__managed__ float managed_a[VARIABLES], managed_b[VARIABLES], managed_out[VARIABLES];

// n is at most VARIABLES.
void add_variables(const float *a, const float *b, float *out, int n, float *milliseconds) {
  // TODO(11) With managed_a, managed_b and managed_out: memcpy, kernel (timed), memcpy.
  (void)a, (void)b, (void)out, (void)n;
  *milliseconds = timed([&] {});
}

// --- What follows is to be looked at, and stays as it is. ---

// Copies a and b, and lets a kernel in either stream add half of them.
static void halves_in(const float *a, const float *b, float *out, int n, float *milliseconds,
                      cudaStream_t first, cudaStream_t second) {
  Vectors device = device_new(n);
  size_t bytes = n * sizeof(float);
  int half = n / 2, blocks = blocks_of_half();
  *milliseconds = timed([&] {
    CHECK(cudaMemcpy(device.a, a, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaMemcpy(device.b, b, bytes, cudaMemcpyHostToDevice));
    CHECK(cudaDeviceSynchronize());
    add_kernel<<<blocks, BLOCK, 0, first>>>(device.a, device.b, device.out, half);
    add_kernel<<<blocks, BLOCK, 0, second>>>(device.a + half, device.b + half, device.out + half,
                                             n - half);
    CHECK(cudaGetLastError());
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(out, device.out, bytes, cudaMemcpyDeviceToHost));
  });
  device_delete(device);
}

void halves_default_and_user(const float *a, const float *b, float *out, int n,
                             float *milliseconds) {
  cudaStream_t user;
  CHECK(cudaStreamCreate(&user));
  halves_in(a, b, out, n, milliseconds, 0, user);
  CHECK(cudaStreamDestroy(user));
}

void halves_two_users(const float *a, const float *b, float *out, int n, float *milliseconds) {
  cudaStream_t first, second;
  CHECK(cudaStreamCreate(&first));
  CHECK(cudaStreamCreate(&second));
  halves_in(a, b, out, n, milliseconds, first, second);
  CHECK(cudaStreamDestroy(first));
  CHECK(cudaStreamDestroy(second));
}

void halves_non_blocking(const float *a, const float *b, float *out, int n, float *milliseconds) {
  cudaStream_t user;
  CHECK(cudaStreamCreateWithFlags(&user, cudaStreamNonBlocking));
  halves_in(a, b, out, n, milliseconds, 0, user);
  CHECK(cudaStreamDestroy(user));
}

// Streams, but the vectors of the host are pageable.
void pageable_streams(const float *a, const float *b, float *out, int n, int streams,
                      float *milliseconds) {
  Vectors device = device_new(n);
  std::vector<cudaStream_t> stream(streams);
  for (cudaStream_t &s : stream) CHECK(cudaStreamCreate(&s));
  *milliseconds = timed([&] {
    for (int i = 0; i < streams; i++) {
      auto [first, count] = piece_of(n, streams, i);
      size_t bytes = count * sizeof(float);
      if (count == 0) break;
      CHECK(cudaMemcpyAsync(device.a + first, a + first, bytes, cudaMemcpyHostToDevice, stream[i]));
      CHECK(cudaMemcpyAsync(device.b + first, b + first, bytes, cudaMemcpyHostToDevice, stream[i]));
      add_kernel<<<blocks_for(count), BLOCK, 0, stream[i]>>>(device.a + first, device.b + first,
                                                             device.out + first, count);
      CHECK(cudaGetLastError());
      CHECK(cudaMemcpyAsync(out + first, device.out + first, bytes, cudaMemcpyDeviceToHost,
                            stream[i]));
    }
  });
  for (cudaStream_t s : stream) CHECK(cudaStreamDestroy(s));
  device_delete(device);
}
