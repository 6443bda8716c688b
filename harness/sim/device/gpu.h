/* gpu.h: the GPU that the simulator stands for, as read from a description such as gpus/h100.ini. */
#ifndef KIT_GPU_H
#define KIT_GPU_H

#include "device.h"

struct gpu_model { /* units as in gpus/h100.ini */
  double issue_per_cycle, l1_cycles_per_line, shared_cycles_per_wavefront, l2_sectors_per_ns,
      l2_store_sectors_per_ns, dram_bytes_per_ns;
  double fp32_ops_per_cycle, fp64_ops_per_cycle, launch_ns, blocks_per_ns;
};

struct gpu {
  struct device_info info;
  struct gpu_model model;
};

/* Reads the file, or the built-in H100 if path is NULL. False, with one line in error, if it cannot
 * be read or misses a key. */
bool gpu_read(struct gpu *gpu, const char *path, char *error, size_t error_size);

/* Modelled time in ns of a launch with these counters, as the largest of a few bounds; *bound names
 * the winner ("shared memory"). */
double gpu_model_time(const struct gpu *gpu, const struct launch_report *launch,
                      const char **bound);

#endif
