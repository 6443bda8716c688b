/* peaks.c: asks the driver's library for the GPU's clocks and widths.
 *
 * NVML's figures are those of the data sheet: cores, largest clocks, width of the memory bus. Peaks
 * are taken on the high side, as a time below them is refused: 2 operations a core and cycle; of
 * L2, 1 byte a core and cycle, which is 64 a multiprocessor of 64 cores (the width of its L1 fill
 * on every architecture since Volta; those with 128 cores get half). H100: 67 TFLOP/s, 33
 * TB/s, 3.35 TB/s. */
#include "grader/run/stopwatch.h"

#include <dlfcn.h>
#include <math.h>
#include <stddef.h>

typedef struct nvml_device *nvml_handle;
enum { NVML_SUCCESS = 0, NVML_CLOCK_SM = 1, NVML_CLOCK_MEM = 2 };

/* ISO C knows no conversion from an object's address to a function's; POSIX does (dlsym). */
#define FIND(function, name) (*(void **)&(function) = dlsym(library, name))

struct peaks peaks_read(void) {
  struct peaks peaks = {0};
  void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return peaks;
  int (*init)(void), (*shutdown)(void), (*by_index)(unsigned, nvml_handle *),
      (*cores)(nvml_handle, unsigned *), (*most_clock)(nvml_handle, int, unsigned *),
      (*bus_width)(nvml_handle, unsigned *);
  FIND(init, "nvmlInit_v2");
  FIND(shutdown, "nvmlShutdown");
  FIND(by_index, "nvmlDeviceGetHandleByIndex_v2");
  FIND(cores, "nvmlDeviceGetNumGpuCores");
  FIND(most_clock, "nvmlDeviceGetMaxClockInfo");
  FIND(bus_width, "nvmlDeviceGetMemoryBusWidth");
  nvml_handle device;
  unsigned core_count = 0, sm_mhz = 0, memory_mhz = 0, bus_bits = 0;
  if (init && by_index && init() == NVML_SUCCESS) {
    if (by_index(0, &device) == NVML_SUCCESS && cores && most_clock && bus_width) {
      cores(device, &core_count);
      most_clock(device, NVML_CLOCK_SM, &sm_mhz);
      most_clock(device, NVML_CLOCK_MEM, &memory_mhz);
      bus_width(device, &bus_bits);
    }
    if (shutdown) shutdown();
  }
  dlclose(library);
  peaks.flops_per_ns = 2.0 * core_count * sm_mhz / 1e3;
  peaks.l2_bytes_per_ns = 1.0 * core_count * sm_mhz / 1e3;
  peaks.dram_bytes_per_ns = 2.0 * memory_mhz * bus_bits / 8 / 1e3; /* double data rate */
  return peaks;
}

double peaks_floor(const struct peaks *peaks, double bytes, double operations) {
  double fastest = fmax(peaks->l2_bytes_per_ns, peaks->dram_bytes_per_ns);
  double moving = fastest > 0 ? bytes / fastest : 0,
         computing = peaks->flops_per_ns > 0 ? operations / peaks->flops_per_ns : 0;
  return fmax(moving, computing);
}
