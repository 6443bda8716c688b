// devices.cu: devices that are not there, attributes, limits, peers; what a reset leaves.
#include "misuse.h"

static __device__ int variable = 5;
static __global__ void store(int *p) { *p = variable; }
static int no_such_device() {
  int count = 0;
  NEED(cudaGetDeviceCount(&count));
  return count;
}

MISUSE(device_negative) { TRY(cudaSetDevice(-1)); }
MISUSE(device_no_such) { TRY(cudaSetDevice(no_such_device())); }
MISUSE(device_nowhere) { TRY(cudaGetDevice(NULL)); }
MISUSE(device_count_nowhere) { TRY(cudaGetDeviceCount(NULL)); }
MISUSE(device_flags_unknown) { TRY(cudaSetDeviceFlags(0xffff)); }
MISUSE(device_flags_of_two_ways_to_wait) {
  TRY(cudaSetDeviceFlags(cudaDeviceScheduleSpin | cudaDeviceScheduleYield));
}
MISUSE(device_flags_too_late) {
  NEED(cudaFree(0));
  TRY(cudaSetDeviceFlags(cudaDeviceScheduleBlockingSync));
}
MISUSE(device_properties_nowhere) { TRY(cudaGetDeviceProperties((cudaDeviceProp *)NULL, 0)); }
MISUSE(device_properties_no_such) {
  cudaDeviceProp properties;
  TRY(cudaGetDeviceProperties(&properties, no_such_device()));
}
MISUSE(device_attribute_nowhere) {
  TRY(cudaDeviceGetAttribute((int *)NULL, cudaDevAttrWarpSize, 0));
}
MISUSE(device_attribute_zero) {
  int value;
  TRY(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)0, 0));
}
MISUSE(device_attribute_unknown) {
  int value;
  TRY(cudaDeviceGetAttribute(&value, (cudaDeviceAttr)9999, 0));
}
MISUSE(device_attribute_no_such_device) {
  int value;
  TRY(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, -1));
}
MISUSE(device_choose_nowhere) {
  cudaDeviceProp properties;
  NEED(cudaGetDeviceProperties(&properties, 0));
  TRY(cudaChooseDevice((int *)NULL, &properties));
}
MISUSE(device_valid_list_of_none) {
  int devices[] = {-1};
  TRY(cudaSetValidDevices(devices, 1));
}
MISUSE(device_bus_too_short) {
  char text[5];
  TRY(cudaDeviceGetPCIBusId(text, 5, 0));
}
MISUSE(device_bus_nonsense) {
  int device;
  TRY(cudaDeviceGetByPCIBusId(&device, "nowhere"));
}
MISUSE(device_cache_config_unknown) { TRY(cudaDeviceSetCacheConfig((cudaFuncCache)99)); }

MISUSE(limit_unknown) { TRY(cudaDeviceSetLimit((cudaLimit)99, 1)); }
MISUSE(limit_read_unknown) {
  size_t value;
  TRY(cudaDeviceGetLimit(&value, (cudaLimit)99));
}
MISUSE(limit_read_nowhere) { TRY(cudaDeviceGetLimit((size_t *)NULL, cudaLimitStackSize)); }
MISUSE(limit_stack_too_large) {
  size_t value = 0;
  TRY(cudaDeviceSetLimit(cudaLimitStackSize, (size_t)1 << 40));
  TRY(cudaDeviceGetLimit(&value, cudaLimitStackSize));
  NOTE(value);
}
MISUSE(limit_heap_too_large) { TRY(cudaDeviceSetLimit(cudaLimitMallocHeapSize, (size_t)1 << 50)); }
static __global__ void allocate(int *p) { *p = malloc(16) != NULL; }
MISUSE(limit_heap_after_use) {
  LAUNCH(allocate<<<1, 1>>>(device_memory(1)));
  TRY(cudaDeviceSynchronize());
  TRY(cudaDeviceSetLimit(cudaLimitMallocHeapSize, (size_t)64 << 20));
}
MISUSE(limit_sync_depth) { TRY(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 2)); }
MISUSE(limit_persisting_l2_too_large) {
  TRY(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, (size_t)1 << 40));
}

MISUSE(peer_enable_itself) { TRY(cudaDeviceEnablePeerAccess(0, 0)); }
MISUSE(peer_enable_no_such) { TRY(cudaDeviceEnablePeerAccess(no_such_device(), 0)); }
MISUSE(peer_enable_flags) { TRY(cudaDeviceEnablePeerAccess(0, 1)); }
MISUSE(peer_disable_not_enabled) { TRY(cudaDeviceDisablePeerAccess(0)); }
MISUSE(peer_can_itself) {
  int can = -1;
  TRY(cudaDeviceCanAccessPeer(&can, 0, 0));
  NOTE(can);
}
MISUSE(peer_can_no_such) {
  int can = -1;
  TRY(cudaDeviceCanAccessPeer(&can, 0, no_such_device()));
}

MISUSE(reset_then_copy) {
  int *p = device_memory(64), got = 0;
  TRY(cudaDeviceReset());
  TRY(cudaMemcpy(&got, p, 4, cudaMemcpyDeviceToHost));
}
MISUSE(reset_then_free) {
  int *p = device_memory(64);
  TRY(cudaDeviceReset());
  TRY(cudaFree(p));
}
MISUSE(reset_then_stream) {
  cudaStream_t stream = new_stream();
  TRY(cudaDeviceReset());
  TRY(cudaStreamSynchronize(stream));
}
MISUSE(reset_then_event) {
  cudaEvent_t event = new_event();
  TRY(cudaDeviceReset());
  TRY(cudaEventRecord(event, 0));
}
MISUSE(reset_then_symbol) {
  int value = 7, got = 0;
  NEED(cudaMemcpyToSymbol(variable, &value, 4));
  TRY(cudaDeviceReset());
  TRY(cudaMemcpyFromSymbol(&got, variable, 4));
  NOTE(got);  // as at the start
  LAUNCH(store<<<1, 1>>>(device_memory(1)));
  TRY(cudaDeviceSynchronize());
}
MISUSE(reset_then_last_error) {
  TRY(cudaSetDevice(-1));
  TRY(cudaDeviceReset());
  TRY(cudaGetLastError());
}
