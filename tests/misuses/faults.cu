// faults.cu: kernels that fault: which code, at which call, and what later calls return.
#undef NDEBUG
#include <cassert>
#include <unistd.h>

#include "misuse.h"

static __global__ void store(int *p) { *p = 1; }
static __global__ void load(const int *p, int *to) { *to = *p; }
static __global__ void store_at(int *p, long long i) { p[i] = 1; }
static __global__ void fault(int steps) { *(int *)16 = take_a_while(steps); }
static __global__ void slow(int *p, int steps) { *p = take_a_while(steps); }

MISUSE(fault_null_pointer) {
  LAUNCH(store<<<1, 1>>>(NULL));
  TRY(cudaDeviceSynchronize());
}
MISUSE(fault_far_beyond_the_end) {
  LAUNCH(store_at<<<1, 1>>>(device_memory(16), 1ll << 36));
  TRY(cudaDeviceSynchronize());
}
MISUSE(fault_one_element_beyond_the_end) {
  LAUNCH(store_at<<<1, 1>>>(device_memory(256), 256));
  TRY(cudaDeviceSynchronize());
}
MISUSE(fault_freed_memory) {
  int *p = device_memory(64 << 20);
  NEED(cudaFree(p));
  LAUNCH(store<<<1, 1>>>(p));
  TRY(cudaDeviceSynchronize());
}
MISUSE(fault_variable_of_host) {
  static int plain;
  LAUNCH(store<<<1, 1>>>(&plain));
  TRY(cudaDeviceSynchronize());
}
MISUSE(fault_load_of_freed_pinned_memory) {
  int *pinned, *p = device_memory(1);
  NEED(cudaMallocHost(&pinned, 64 << 20));
  NEED(cudaFreeHost(pinned));
  LAUNCH(load<<<1, 1>>>(pinned, p));
  TRY(cudaDeviceSynchronize());
}
MISUSE(fault_misaligned) {
  LAUNCH(store<<<1, 1>>>((int *)((char *)device_memory(16) + 1)));
  TRY(cudaDeviceSynchronize());
}
static __global__ void misaligned_vector(float *p) { *(float4 *)(p + 1) = make_float4(1, 2, 3, 4); }
MISUSE(fault_misaligned_vector) {
  LAUNCH(misaligned_vector<<<1, 1>>>(device_memory<float>(16)));
  TRY(cudaDeviceSynchronize());
}
static __global__ void beyond_shared(int i, int *to) {
  __shared__ int tile[32];
  tile[threadIdx.x + i] = 1;
  __syncthreads();
  *to = tile[threadIdx.x];
}
MISUSE(fault_beyond_shared_memory) {
  LAUNCH(beyond_shared<<<1, 32>>>(1 << 20, device_memory(1)));
  TRY(cudaDeviceSynchronize());
}
static __global__ void fails_assert(int i) { assert(i > 0); }
MISUSE(fault_assert) {
  LAUNCH(fails_assert<<<1, 1>>>(0));
  TRY(cudaDeviceSynchronize());
}
static __global__ void traps() { __trap(); }
MISUSE(fault_trap) {
  LAUNCH(traps<<<1, 1>>>());
  TRY(cudaDeviceSynchronize());
}
static __device__ int recurse(int depth, volatile int *p) {
  if (depth == 0) return p[0];
  int mine[16];
  for (int i = 0; i < 16; i++) mine[i] = p[i];
  int below = recurse(depth - 1, p);
  return below + mine[below & 15];
}
static __global__ void recurses(int depth, int *p) { *p = recurse(depth, p); }
MISUSE(fault_endless_recursion) {
  int *p = device_memory(16);
  NEED(cudaMemset(p, 0, 64));
  LAUNCH(recurses<<<1, 1>>>(1 << 30, p));
  TRY(cudaDeviceSynchronize());
}
typedef int function(int);
static __device__ int twice(int i) { return 2 * i; }
static __device__ function *functions[2] = {twice, NULL};
static __global__ void calls(int which, int *to) { *to = functions[which](3); }
MISUSE(fault_null_function) {
  LAUNCH(calls<<<1, 1>>>(1, device_memory(1)));
  TRY(cudaDeviceSynchronize());
}
static __global__ void frees_twice(int *to) {
  int *p = (int *)malloc(64);
  *to = p != NULL;
  free(p);
  free(p);
}
MISUSE(fault_device_free_twice) {
  LAUNCH(frees_twice<<<1, 1>>>(device_memory(1)));
  TRY(cudaDeviceSynchronize());
}
static __global__ void allocates(size_t bytes, int *to) { *to = malloc(bytes) == NULL; }
MISUSE(device_malloc_too_much) {
  int *p = device_memory(1), got = -1;
  LAUNCH(allocates<<<1, 1>>>((size_t)1 << 40, p));
  TRY(cudaMemcpy(&got, p, 4, cudaMemcpyDeviceToHost));
  NOTE(got);
}
static __global__ void divides(int *p) { p[1] = p[1] / p[0]; }
MISUSE(division_by_zero) {
  int *p = device_memory(2);
  NEED(cudaMemset(p, 0, 8));
  LAUNCH(divides<<<1, 1>>>(p));
  TRY(cudaDeviceSynchronize());
}

// When it is noticed. The kernel runs for a while before it faults.
#define FAULT()            \
  fault<<<1, 1>>>(1 << 4); \
  TRY(cudaDeviceSynchronize())
static void warm_up() {
  int *p = device_memory(1);
  slow<<<1, 1>>>(p, 1);
  NEED(cudaDeviceSynchronize());
  NEED(cudaFree(p));
}
MISUSE(noticed_not_at_once) {
  warm_up();
  cudaEvent_t event = new_event();
  LAUNCH(fault<<<1, 1>>>(A_WHILE));
  TRY(cudaGetLastError());
  TRY(cudaEventRecord(event, 0));
  TRY(cudaEventQuery(event));
  TRY(cudaStreamSynchronize(0));
  TRY(cudaEventQuery(event));
}
MISUSE(noticed_by_copy) {
  int *p = device_memory(1), got;
  LAUNCH(fault<<<1, 1>>>(A_WHILE));
  TRY(cudaMemcpy(&got, p, 4, cudaMemcpyDeviceToHost));
}
MISUSE(noticed_by_free) {
  int *p = device_memory(1);
  LAUNCH(fault<<<1, 1>>>(A_WHILE));
  TRY(cudaFree(p));
}
MISUSE(noticed_by_event_wait) {
  cudaEvent_t event = new_event();
  LAUNCH(fault<<<1, 1>>>(A_WHILE));
  TRY(cudaEventRecord(event, 0));
  TRY(cudaEventSynchronize(event));
}
MISUSE(noticed_by_another_stream) {
  cudaStream_t stream = new_stream(cudaStreamNonBlocking),
               other = new_stream(cudaStreamNonBlocking);
  LAUNCH(fault<<<1, 1, 0, stream>>>(1));
  TRY(cudaStreamSynchronize(stream));
  TRY(cudaStreamSynchronize(other));
  TRY(cudaStreamQuery(other));
}
MISUSE(noticed_by_launch_after_a_second) {
  int *p = device_memory(1);
  LAUNCH(fault<<<1, 1>>>(1));
  sleep(1);
  TRY(cudaPeekAtLastError());
  LAUNCH(store<<<1, 1>>>(p));
}
MISUSE(noticed_by_malloc_after_a_second) {
  int *p;
  LAUNCH(fault<<<1, 1>>>(1));
  sleep(1);
  TRY(cudaMalloc(&p, 4));
}
MISUSE(noticed_by_query_after_a_second) {
  LAUNCH(fault<<<1, 1>>>(1));
  sleep(1);
  TRY(cudaStreamQuery(0));
}

// What is left.
MISUSE(after_fault_memory) {
  int *p = device_memory(16), *pinned, got[16];
  size_t free_bytes, total;
  FAULT();
  TRY(cudaMalloc(&p, 4));
  TRY(cudaMallocHost(&pinned, 4));
  TRY(cudaMallocManaged(&pinned, 4));
  TRY(cudaMemcpy(got, p, 4, cudaMemcpyDeviceToHost));
  TRY(cudaMemcpyAsync(got, p, 4, cudaMemcpyDeviceToHost, 0));
  TRY(cudaMemset(p, 0, 4));
  TRY(cudaMemGetInfo(&free_bytes, &total));
  TRY(cudaFree(p));
  TRY(cudaFree(NULL));
}
MISUSE(after_fault_streams) {
  cudaStream_t stream = new_stream(), more;
  cudaEvent_t event = new_event(), another;
  FAULT();
  TRY(cudaStreamCreate(&more));
  TRY(cudaEventCreate(&another));
  TRY(cudaEventRecord(event, stream));
  TRY(cudaEventQuery(event));
  TRY(cudaEventSynchronize(event));
  TRY(cudaStreamQuery(stream));
  TRY(cudaStreamSynchronize(stream));
  TRY(cudaStreamWaitEvent(stream, event, 0));
  TRY(cudaEventDestroy(event));
  TRY(cudaStreamDestroy(stream));
}
static __device__ int variable;
MISUSE(after_fault_questions) {
  int value;
  void *address;
  cudaFuncAttributes of;
  cudaDeviceProp properties;
  cudaPointerAttributes pointer;
  FAULT();
  TRY(cudaGetDevice(&value));
  TRY(cudaGetDeviceCount(&value));
  TRY(cudaSetDevice(0));
  TRY(cudaGetDeviceProperties(&properties, 0));
  TRY(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0));
  TRY(cudaFuncGetAttributes(&of, store));
  TRY(cudaGetSymbolAddress(&address, variable));
  TRY(cudaPointerGetAttributes(&pointer, &value));
  TRY(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&value, store, 32, 0));
}
MISUSE(after_fault_launches) {
  int *p = device_memory(1);
  FAULT();
  TRY(cudaGetLastError());
  TRY(cudaGetLastError());
  LAUNCH(store<<<1, 1>>>(p));
  LAUNCH(store<<<1, 2000>>>(p));
  TRY(cudaGetLastError());
  TRY(cudaPeekAtLastError());
  TRY(cudaDeviceSynchronize());
}
MISUSE(after_fault_reset) {
  FAULT();
  TRY(cudaDeviceReset());
  TRY(cudaGetLastError());
}
MISUSE(after_assert) {
  int *p;
  LAUNCH(fails_assert<<<1, 1>>>(0));
  TRY(cudaDeviceSynchronize());
  TRY(cudaGetLastError());
  TRY(cudaGetLastError());
  TRY(cudaMalloc(&p, 4));
}
