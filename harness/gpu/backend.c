/* backend.c: backend.h for a real GPU, on NVIDIA's CUDA runtime. */
#include "harness/base/backend.h"

#include <cuda_runtime_api.h>
#include <stdio.h>

#include "harness/gpu/nvml.h"

const char *backend_device(void) {
  static struct cudaDeviceProp properties;
  if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return "a GPU that does not answer";
  return properties.name;
}

bool backend_is_real(void) { return true; }

void backend_reset_device(void) {
  static const enum cudaLimit limits[] = {cudaLimitStackSize, cudaLimitPrintfFifoSize,
                                          cudaLimitMallocHeapSize, cudaLimitMaxL2FetchGranularity,
                                          cudaLimitPersistingL2CacheSize};
  enum { LIMITS = sizeof limits / sizeof *limits };
  static struct {
    bool known;
    int device;
    unsigned flags;
    enum cudaFuncCache cache;
    size_t limits[LIMITS];
  } first;
  if (!first.known) {
    cudaGetDevice(&first.device);
    cudaGetDeviceFlags(&first.flags);
    cudaDeviceGetCacheConfig(&first.cache);
    for (int i = 0; i < LIMITS; i++) cudaDeviceGetLimit(&first.limits[i], limits[i]);
    first.known = true;
  }
  int device = -1;
  unsigned flags = 0;
  enum cudaFuncCache cache = cudaFuncCachePreferNone;
  if (cudaGetDevice(&device) == cudaSuccess && device != first.device) cudaSetDevice(first.device);
  if (cudaGetDeviceFlags(&flags) == cudaSuccess && flags != first.flags)
    cudaSetDeviceFlags(first.flags);
  if (cudaDeviceGetCacheConfig(&cache) == cudaSuccess && cache != first.cache)
    cudaDeviceSetCacheConfig(first.cache);
  for (int i = 0; i < LIMITS; i++) {
    size_t value;
    if (cudaDeviceGetLimit(&value, limits[i]) == cudaSuccess && value != first.limits[i])
      cudaDeviceSetLimit(limits[i], first.limits[i]);
  }
  (void)cudaCtxResetPersistingL2Cache();
  (void)cudaGetLastError(); /* a device may lack a setting */
}

json_t *backend_condition(void) {
  char bus_id[32];
  if (cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, 0) != cudaSuccess) return json_null();
  return nvml_condition(bus_id);
}
