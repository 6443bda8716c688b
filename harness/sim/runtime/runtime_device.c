/* runtime_device.c: the CUDA runtime API over device.h: the device, number 0, its settings, and the
 * peers that it does not have. Settings are checked and kept, and change nothing. */
#include <stdio.h>
#include <string.h>

#include "harness/sim/runtime/graph.h"
#include "harness/sim/runtime/runtime.h"
#include <cuda_runtime_api.h>

static cudaError_t check_device(int device) {
  return device == 0 ? cudaSuccess : cudaErrorInvalidDevice;
}

cudaError_t cudaDeviceSynchronize(void) {
  cudaError_t error;
  return runtime_result(capture_forbids(NULL, true, &error) ? error : runtime_wait());
}

cudaError_t cudaDeviceReset(void) {
  runtime_wait();
  runtime_reset();
  return cudaSuccess;
}

cudaError_t cudaSetDevice(int device) {
  cudaError_t error = check_device(device);
  if (!error) runtime_bind();
  return runtime_result(error);
}

cudaError_t cudaGetDevice(int *device) {
  if (!device) return runtime_result(cudaErrorInvalidValue);
  *device = 0;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceCount(int *count) {
  if (!count) return runtime_result(cudaErrorInvalidValue);
  *count = 1;
  return cudaSuccess;
}

cudaError_t cudaInitDevice(int device, unsigned int device_flags, unsigned int flags) {
  (void)device_flags, (void)flags;
  return cudaSetDevice(device);
}

cudaError_t cudaSetValidDevices(int *devices, int count) {
  if (count < 0 || (!devices && count > 0)) return runtime_result(cudaErrorInvalidValue);
  for (int i = 0; i < count; i++)
    if (check_device(devices[i])) return runtime_result(cudaErrorInvalidDevice);
  return cudaSuccess;
}

static cudaError_t give_version(int *version, int is, const char *function) {
  if (!version) return runtime_result_of(cudaErrorInvalidValue, function);
  *version = is;
  return cudaSuccess;
}

cudaError_t cudaRuntimeGetVersion(int *version) {
  return give_version(version, CUDART_VERSION, __func__);
}

cudaError_t cudaDriverGetVersion(int *version) {
  return give_version(version, DRIVER_VERSION, __func__);
}

/* The bus: "0000:01:00.0" */

enum { BUS_ID_BYTES = 13 };

static void write_bus_id(char id[BUS_ID_BYTES]) {
  struct cudaDeviceProp p;
  cudaGetDeviceProperties(&p, 0);
  snprintf(id, BUS_ID_BYTES, "%04x:%02x:%02x.0", (unsigned)p.pciDomainID & 0xffff,
           (unsigned)p.pciBusID & 0xff, (unsigned)p.pciDeviceID & 0xff);
}

cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device) {
  if (check_device(device)) return runtime_result(cudaErrorInvalidDevice);
  if (!id || length < BUS_ID_BYTES) return runtime_result(cudaErrorInvalidValue);
  write_bus_id(id);
  return cudaSuccess;
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id) {
  char own[BUS_ID_BYTES];
  unsigned domain, bus, slot;
  if (!device || !id || sscanf(id, "%x:%x:%x", &domain, &bus, &slot) != 3)
    return runtime_result(cudaErrorInvalidValue);
  write_bus_id(own);
  if (strncmp(own, id, strlen("0000:01:00")) != 0) return runtime_result(cudaErrorInvalidDevice);
  *device = 0;
  return cudaSuccess;
}

/* Settings */

static unsigned device_flags;
static enum cudaFuncCache cache_config;

cudaError_t cudaSetDeviceFlags(unsigned int flags) {
  unsigned schedule = flags & cudaDeviceScheduleMask;
  if (flags & ~(unsigned)cudaDeviceMask || (schedule & (schedule - 1)))
    return runtime_result(cudaErrorInvalidValue);
  device_flags = flags;
  return cudaSuccess;
}

cudaError_t cudaGetDeviceFlags(unsigned int *flags) {
  if (!flags) return runtime_result(cudaErrorInvalidValue);
  *flags = device_flags | cudaDeviceMapHost;
  return cudaSuccess;
}

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config) {
  if ((unsigned)config > cudaFuncCachePreferEqual) return runtime_result(cudaErrorInvalidValue);
  cache_config = config;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config) {
  if (!config) return runtime_result(cudaErrorInvalidValue);
  *config = cache_config;
  return cudaSuccess;
}

/* Banks have four bytes since Maxwell, whatever is set. */
cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config) {
  return runtime_result((unsigned)config > cudaSharedMemBankSizeEightByte ? cudaErrorInvalidValue
                                                                          : cudaSuccess);
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config) {
  if (!config) return runtime_result(cudaErrorInvalidValue);
  *config = cudaSharedMemBankSizeFourByte;
  return cudaSuccess;
}

cudaError_t cudaCtxResetPersistingL2Cache(void) { return runtime_result(runtime_sticky()); }

/* Each limit as an H100 has it, in what units it is set, and what is too much. */
static struct limit {
  size_t value, unit, max;
} limits[] = {
    [cudaLimitStackSize] = {1024, 16, 512 << 10},
    [cudaLimitPrintfFifoSize] = {8650752, 1, SIZE_MAX},
    [cudaLimitMallocHeapSize] = {8 << 20, 64 << 10, SIZE_MAX},
    [cudaLimitDevRuntimeSyncDepth] = {0}, /* was for kernels that wait for their launches */
    [cudaLimitDevRuntimePendingLaunchCount] = {2048, 1, SIZE_MAX},
    [cudaLimitMaxL2FetchGranularity] = {64, 1, 128},
    [cudaLimitPersistingL2CacheSize] = {9830400, 3276800, 32768000},
};

static cudaError_t find_limit(enum cudaLimit which, struct limit **limit) {
  if ((size_t)which >= sizeof limits / sizeof *limits) return cudaErrorInvalidValue;
  *limit = &limits[which];
  return (*limit)->max ? cudaSuccess : cudaErrorUnsupportedLimit;
}

cudaError_t cudaDeviceSetLimit(enum cudaLimit which, size_t value) {
  struct limit *limit;
  cudaError_t error = find_limit(which, &limit);
  if (!error && value > limit->max) error = cudaErrorInvalidValue;
  if (error) return runtime_result(error);
  size_t rounded = value;
  if (rounded % limit->unit) rounded += limit->unit - rounded % limit->unit;
  int code = cudaSuccess;
  if (which == cudaLimitMallocHeapSize) code = device_set_heap(runtime_device(), rounded);
  if (which == cudaLimitDevRuntimePendingLaunchCount)
    code = device_set_pending(runtime_device(), rounded);
  if (code) return runtime_result(code);
  limit->value = rounded;
  return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit which) {
  struct limit *limit;
  cudaError_t error = value ? find_limit(which, &limit) : cudaErrorInvalidValue;
  if (error) return runtime_result(error);
  *value = limit->value;
  return cudaSuccess;
}

/* Peers: a device is none of its own */

static cudaError_t check_peers(int device, int peer) {
  return check_device(device) ? check_device(device) : check_device(peer);
}

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer) {
  cudaError_t error = can ? check_peers(device, peer) : cudaErrorInvalidValue;
  if (error) return runtime_result(error);
  *can = 0;
  return cudaSuccess;
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags) {
  cudaError_t error = flags ? cudaErrorInvalidValue : check_device(peer);
  return runtime_result(error ? error : cudaErrorPeerAccessUnsupported);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer) {
  cudaError_t error = check_device(peer);
  return runtime_result(error ? error : cudaErrorPeerAccessNotEnabled);
}

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int device,
                                      int peer) {
  (void)attribute, (void)device, (void)peer;
  return runtime_result(value ? cudaErrorInvalidDevice : cudaErrorInvalidValue);
}

cudaError_t cudaProfilerStart(void) { return cudaSuccess; }

cudaError_t cudaProfilerStop(void) { return cudaSuccess; }

/* Names of CUDA 3 and earlier */

cudaError_t cudaThreadSynchronize(void) { return cudaDeviceSynchronize(); }

cudaError_t cudaThreadExit(void) { return cudaDeviceReset(); }

cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value) {
  return cudaDeviceSetLimit(limit, value);
}

cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit) {
  return cudaDeviceGetLimit(value, limit);
}

cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config) {
  return cudaDeviceSetCacheConfig(config);
}

cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config) {
  return cudaDeviceGetCacheConfig(config);
}
