// Six of the mistakes of other files at once, without predictions: each item has its own reason.
// verdict: partial
// loses: sidebyside nocopies leaks nofaults bothways hidden concurrency shares
// hazard: leak 22
// reason: is in the default stream
// reason: copies, so that the kernel does not access
// reason: finds pages on the host
// reason: all work is in one stream
#define OWN_PINNED_NEW
#define OWN_PINNED_DELETE
#define OWN_ADD_STREAMS
#define OWN_ADD_HALVES
#define OWN_ADD_MAPPED
#define OWN_ADD_PREFETCHED
#include "rest.h"

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

static void pinned_delete(const Pinned &pinned) {
  CHECK(cudaFreeHost(pinned.a));
  CHECK(cudaFreeHost(pinned.b));
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
    CHECK(cudaMemcpyAsync(device.a + first, pinned.a + first, bytes, cudaMemcpyHostToDevice,
                          stream[0]));
    CHECK(cudaMemcpyAsync(device.b + first, pinned.b + first, bytes, cudaMemcpyHostToDevice,
                          stream[0]));
    add_kernel<<<blocks_for(count), BLOCK, 0, stream[0]>>>(device.a + first, device.b + first,
                                                           device.out + first, count);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpyAsync(pinned.out + first, device.out + first, bytes, cudaMemcpyDeviceToHost,
                          stream[0]));
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
  CHECK(cudaMemcpyAsync(device.a, pinned.a, bytes, cudaMemcpyHostToDevice, stream[0]));
  CHECK(cudaMemcpyAsync(device.b, pinned.b, bytes, cudaMemcpyHostToDevice, stream[0]));
  CHECK(cudaEventRecord(copied, stream[0]));
  CHECK(cudaStreamWaitEvent(stream[1], copied, 0));
  for (int i = 0; i < 2; i++) {
    auto [first, count] = piece_of(n, 2, i);
    add_kernel<<<blocks_of_half(), BLOCK, 0, i ? stream[1] : 0>>>(
        device.a + first, device.b + first, device.out + first, count);
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
  float *copy[3];
  for (float *&vector : copy) CHECK(cudaMalloc(&vector, bytes));
  CHECK(cudaEventRecord(start));
  for (int i = 0; i < 2; i++) CHECK(cudaMemcpy(copy[i], host[i], bytes, cudaMemcpyHostToDevice));
  add_kernel<<<blocks_for(n), BLOCK>>>(copy[0], copy[1], copy[2], n);
  CHECK(cudaGetLastError());
  CHECK(cudaMemcpy(host[2], copy[2], bytes, cudaMemcpyDeviceToHost));
  CHECK(cudaEventRecord(stop));
  *milliseconds = milliseconds_between(start, stop);
  memcpy(out, host[2], bytes);
  for (float *vector : host) CHECK(cudaFreeHost(vector));
  for (float *vector : copy) CHECK(cudaFree(vector));
  CHECK(cudaEventDestroy(start));
  CHECK(cudaEventDestroy(stop));
}

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
  CHECK(prefetch(vector[0], bytes, true));
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
