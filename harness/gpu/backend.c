/* backend.c: backend.h for a real GPU, on NVIDIA's CUDA runtime. */
#include "harness/base/backend.h"

#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <stddef.h>
#include <unistd.h>

#include "harness/gpu/activity.h"

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

/* The device's state, through NVIDIA's management library. It belongs to the driver, so it is
 * opened when the program runs; the declarations follow NVML's API reference
 * (nvmlDeviceGetClockInfo and its neighbours). */

typedef struct nvml_device *nvml_handle;
enum { NVML_SUCCESS = 0, NVML_CLOCK_SM = 1 };
struct nvml_process { /* nvmlProcessInfo_v2_t */
  unsigned pid;
  unsigned long long used_memory;
  unsigned instance, compute_instance;
};

static struct {
  void *library;
  int (*init)(void);
  int (*by_bus_id)(const char *, nvml_handle *);
  int (*clock)(nvml_handle, int, unsigned *);
  int (*reasons)(nvml_handle, unsigned long long *);
  int (*processes)(nvml_handle, unsigned *, struct nvml_process *);
} nvml;

/* ISO C knows no conversion from an object's address to a function's; POSIX does (dlsym). */
#define FIND(member, name) (*(void **)&nvml.member = dlsym(nvml.library, name))

static int open_library(void) {
  if (nvml.library) return 1;
  nvml.library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!nvml.library) return 0;
  FIND(init, "nvmlInit_v2");
  FIND(by_bus_id, "nvmlDeviceGetHandleByPciBusId_v2");
  FIND(clock, "nvmlDeviceGetClockInfo");
  FIND(reasons, "nvmlDeviceGetCurrentClocksEventReasons");
  if (!nvml.reasons) FIND(reasons, "nvmlDeviceGetCurrentClocksThrottleReasons");
  FIND(processes, "nvmlDeviceGetComputeRunningProcesses_v3");
  return nvml.init && nvml.by_bus_id && nvml.init() == NVML_SUCCESS;
}

/* What slows the clocks: nvmlClocksThrottleReasons, without idleness and settings of the user's. */
static const struct {
  unsigned long long bit;
  const char *words;
} throttle[] = {
    {0x04, "power cap"},        {0x08, "hardware slowdown"},    {0x20, "software thermal"},
    {0x40, "hardware thermal"}, {0x80, "hardware power brake"},
};

json_t *backend_condition(void) {
  char bus_id[32];
  nvml_handle device;
  unsigned clock, count = 64;
  unsigned long long reasons;
  struct nvml_process processes[64];
  if (cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, 0) != cudaSuccess || !open_library() ||
      nvml.by_bus_id(bus_id, &device) != NVML_SUCCESS)
    return json_null();
  json_t *condition = json_object();
  if (nvml.clock && nvml.clock(device, NVML_CLOCK_SM, &clock) == NVML_SUCCESS)
    json_object_set_new(condition, "sm_clock_mhz", json_integer(clock));
  if (nvml.reasons && nvml.reasons(device, &reasons) == NVML_SUCCESS) {
    json_t *list = json_array();
    for (size_t i = 0; i < sizeof throttle / sizeof *throttle; i++)
      if (reasons & throttle[i].bit) json_array_append_new(list, json_string(throttle[i].words));
    json_object_set_new(condition, "throttle", list);
  }
  if (nvml.processes && nvml.processes(device, &count, processes) == NVML_SUCCESS) {
    int others = 0;
    for (unsigned i = 0; i < count; i++) others += processes[i].pid != (unsigned)getpid();
    json_object_set_new(condition, "other_processes", json_integer(others));
  }
  return condition;
}

/* Why nothing is recorded; NULL: something is. */
static const char *not_recorded;

void backend_timeline_begin(void) { not_recorded = activity_begin(); }

json_t *backend_timeline_end(void) {
  json_t *trace = not_recorded ? NULL : activity_end();
  const char *error = not_recorded ? not_recorded : "the call did more than a timeline can hold";
  return trace ? trace : json_pack("{s:s}", "error", error);
}

/* A crash of host code is explained by the simulated device only. */
void backend_explain_crash(const void *start, size_t bytes, const char *words) {
  (void)start, (void)bytes, (void)words;
}
