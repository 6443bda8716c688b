// managed.cu: managed memory, and memory that is allocated in the order of a stream.
#include <cstring>

#include "misuse.h"

static int plain[64];
#if CUDART_VERSION >= 13000
static cudaMemLocation place(int device) {
  cudaMemLocation at;
  memset(&at, 0, sizeof at);
  at.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost : cudaMemLocationTypeDevice;
  at.id = device == cudaCpuDeviceId ? 0 : device;
  return at;
}
static cudaError_t prefetch(const void *p, size_t bytes, int device) {
  return cudaMemPrefetchAsync(p, bytes, place(device), 0, 0);
}
static cudaError_t advise(const void *p, size_t bytes, cudaMemoryAdvise advice, int device) {
  return cudaMemAdvise(p, bytes, advice, place(device));
}
#else
static cudaError_t prefetch(const void *p, size_t bytes, int device) {
  return cudaMemPrefetchAsync(p, bytes, device, 0);
}
static cudaError_t advise(const void *p, size_t bytes, cudaMemoryAdvise advice, int device) {
  return cudaMemAdvise(p, bytes, advice, device);
}
#endif
static int *managed_memory(size_t bytes) {
  int *p = NULL;
  NEED(cudaMallocManaged(&p, bytes));
  return p;
}
static int no_such_device() {
  int count = 0;
  NEED(cudaGetDeviceCount(&count));
  return count;
}

MISUSE(managed_nowhere) { TRY(cudaMallocManaged((void **)NULL, 64)); }
MISUSE(managed_zero_bytes) {
  int *p = (int *)8;
  TRY(cudaMallocManaged(&p, 0));
  NOTE(p == (int *)8);
}
MISUSE(managed_no_flags) {
  int *p;
  TRY(cudaMallocManaged(&p, 64, 0));
}
MISUSE(managed_all_flags) {
  int *p;
  TRY(cudaMallocManaged(&p, 64, 3));
}
MISUSE(managed_too_much) {
  int *p;
  TRY(cudaMallocManaged(&p, (size_t)1 << 55));
}
MISUSE(managed_free_twice) {
  int *p = managed_memory(4096);
  TRY(cudaFree(p));
  TRY(cudaFree(p));
}
MISUSE(managed_free_inside) { TRY(cudaFree(managed_memory(4096) + 1)); }
MISUSE(managed_free_host) { TRY(cudaFreeHost(managed_memory(4096))); }
MISUSE(managed_touched_after_free) {
  int *p = managed_memory(64 << 20);
  NEED(cudaFree(p));
  misuse_call("*p = 1");
  *(volatile int *)p = 1;
}
static __global__ void slow(int *p, int steps) { *p = take_a_while(steps); }
MISUSE(managed_touched_while_kernel_runs) {
  int *p = managed_memory(4096);
  slow<<<1, 1>>>(p, 1);
  NEED(cudaDeviceSynchronize());
  LAUNCH(slow<<<1, 1>>>(p, A_WHILE));
  misuse_call("p[100] = 1");
  ((volatile int *)p)[100] = 1;
  TRY(cudaDeviceSynchronize());
}
MISUSE(prefetch_device_memory) { TRY(prefetch(device_memory(64), 256, 0)); }
MISUSE(prefetch_host_memory) { TRY(prefetch(plain, 256, 0)); }
MISUSE(prefetch_null) { TRY(prefetch(NULL, 64, 0)); }
MISUSE(prefetch_nothing) { TRY(prefetch(managed_memory(4096), 0, 0)); }
MISUSE(prefetch_beyond_the_end) { TRY(prefetch(managed_memory(1 << 20), 64 << 20, 0)); }
MISUSE(prefetch_no_such_device) { TRY(prefetch(managed_memory(4096), 4096, no_such_device())); }
MISUSE(advise_unknown) { TRY(advise(managed_memory(4096), 4096, (cudaMemoryAdvise)9, 0)); }
MISUSE(advise_device_memory) { TRY(advise(device_memory(64), 256, cudaMemAdviseSetReadMostly, 0)); }
MISUSE(advise_nothing) { TRY(advise(managed_memory(4096), 0, cudaMemAdviseSetReadMostly, 0)); }
MISUSE(advise_no_such_device) {
  TRY(advise(managed_memory(4096), 4096, cudaMemAdviseSetAccessedBy, no_such_device()));
}
MISUSE(range_attribute_odd_size) {
  int value;
  TRY(cudaMemRangeGetAttribute(&value, 3, cudaMemRangeAttributeReadMostly, managed_memory(4096),
                               4096));
}
MISUSE(range_attribute_of_device_memory) {
  int value;
  TRY(cudaMemRangeGetAttribute(&value, 4, cudaMemRangeAttributeReadMostly, device_memory(64), 256));
}
MISUSE(attach_device_memory) { TRY(cudaStreamAttachMemAsync(new_stream(), device_memory(64))); }
MISUSE(attach_unknown_flags) {
  TRY(cudaStreamAttachMemAsync(new_stream(), managed_memory(4096), 0, 9));
}
MISUSE(attach_part) {
  TRY(cudaStreamAttachMemAsync(new_stream(), managed_memory(8192), 4096, cudaMemAttachSingle));
}
MISUSE(attach_to_default_stream) { TRY(cudaStreamAttachMemAsync(0, managed_memory(4096))); }

MISUSE(malloc_async_nowhere) { TRY(cudaMallocAsync((void **)NULL, 4, new_stream())); }
MISUSE(malloc_async_zero_bytes) {
  int *p = (int *)8;
  TRY(cudaMallocAsync(&p, 0, new_stream()));
  NOTE(p == NULL);
}
MISUSE(malloc_async_too_much) {
  int *p;
  TRY(cudaMallocAsync(&p, (size_t)1 << 50, new_stream()));
}
MISUSE(malloc_async_destroyed_stream) {
  int *p;
  cudaStream_t stream = new_stream();
  NEED(cudaStreamDestroy(stream));
  TRY(cudaMallocAsync(&p, 4, stream));
}
MISUSE(malloc_async_no_pool) {
  int *p;
  TRY(cudaMallocFromPoolAsync(&p, 64, (cudaMemPool_t)NULL, new_stream()));
}
MISUSE(free_async_null) { TRY(cudaFreeAsync(NULL, new_stream())); }
MISUSE(free_async_twice) {
  int *p;
  cudaStream_t stream = new_stream();
  NEED(cudaMallocAsync(&p, 64, stream));
  TRY(cudaFreeAsync(p, stream));
  TRY(cudaFreeAsync(p, stream));
  TRY(cudaStreamSynchronize(stream));
}
MISUSE(free_async_host) {
  cudaStream_t stream = new_stream();
  TRY(cudaFreeAsync(plain, stream));
}
MISUSE(free_async_of_malloc) {
  cudaStream_t stream = new_stream();
  TRY(cudaFreeAsync(device_memory(64), stream));
  TRY(cudaStreamSynchronize(stream));
}
MISUSE(free_async_then_copy) {
  int *p;
  cudaStream_t stream = new_stream();
  NEED(cudaMallocAsync(&p, 64, stream));
  TRY(cudaFreeAsync(p, stream));
  TRY(cudaMemcpyAsync(p, plain, 64, cudaMemcpyHostToDevice, stream));
  TRY(cudaStreamSynchronize(stream));
}
MISUSE(free_async_then_free) {
  int *p;
  cudaStream_t stream = new_stream();
  NEED(cudaMallocAsync(&p, 64, stream));
  TRY(cudaFreeAsync(p, stream));
  TRY(cudaFree(p));
}
MISUSE(pool_destroy_default) {
  cudaMemPool_t pool;
  NEED(cudaDeviceGetDefaultMemPool(&pool, 0));
  TRY(cudaMemPoolDestroy(pool));
}
MISUSE(pool_destroy_null) { TRY(cudaMemPoolDestroy(NULL)); }
MISUSE(pool_create_without_properties) {
  cudaMemPool_t pool;
  TRY(cudaMemPoolCreate(&pool, NULL));
}
MISUSE(pool_create_nothing_set) {
  cudaMemPool_t pool;
  cudaMemPoolProps properties;
  memset(&properties, 0, sizeof properties);
  TRY(cudaMemPoolCreate(&pool, &properties));
}
MISUSE(pool_attribute_unknown) {
  unsigned long long value;
  cudaMemPool_t pool;
  NEED(cudaDeviceGetDefaultMemPool(&pool, 0));
  TRY(cudaMemPoolGetAttribute(pool, (cudaMemPoolAttr)99, &value));
}
MISUSE(pool_no_such_device) {
  cudaMemPool_t pool;
  TRY(cudaDeviceGetDefaultMemPool(&pool, no_such_device()));
}
