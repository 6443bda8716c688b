/* nvml.c: see nvml.h. The library belongs to the driver, so it is opened when the program runs; the
 * declarations follow NVML's API reference (nvmlDeviceGetClockInfo and its neighbours). */
#include "harness/gpu/nvml.h"

#include <dlfcn.h>
#include <stddef.h>
#include <unistd.h>

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

json_t *nvml_condition(const char *bus_id) {
  nvml_handle device;
  unsigned clock, count = 64;
  unsigned long long reasons;
  struct nvml_process processes[64];
  if (!open_library() || nvml.by_bus_id(bus_id, &device) != NVML_SUCCESS) return json_null();
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
