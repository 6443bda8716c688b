/* gpus_table.c: ./grade gpus: a line for each GPU that can be simulated. */
#include <string.h>

#include "grader/lab/gpus.h"
#include "grader/show/show.h"

void gpus_print(const struct screen *screen, const struct kit *kit) {
  char **names = gpus_names(kit);
  autofree char *selected = gpus_selected();
  screen_line(screen, BOLD, "%-9s %-24s %4s %5s %7s %8s %6s  %s", "--gpu", "GPU", "SMs", "GHz",
              "memory", "TFLOP/s", "GB/s", "figures");
  for (char **name = names; *name; name++) {
    autofree char *path = gpus_path(kit, *name);
    struct gpu gpu;
    char error[400];
    if (!gpu_read(&gpu, path, error, sizeof error)) continue; /* gpus_path has read it */
    screen_line(screen, strcmp(*name, selected) == 0 ? BOLD : PLAIN,
                "%-9s %-24s %4d %5.2f %3.0f GiB %8.1f %6.0f  %s", *name, gpu.info.name,
                gpu.info.sm_count, gpu.info.clock_khz * 1e-6,
                (double)gpu.info.memory_bytes / (1 << 30), gpu_fp32_per_ns(&gpu) * 1e-3,
                gpu_bytes_per_ns(&gpu), gpu.info.measured ? "measured" : "published");
  }
  screen_wrap(
      screen, DIM, 0, "",
      "TFLOP/s: fp32, at most; GB/s: a copy in DRAM. Measured: each figure of the model, on "
      "that GPU. Published: from data sheets and papers, or carried over from an H100: not "
      "measured, and times are less certain (harness/sim/README.md, \"Other GPUs\").");
  lab_free_ids(names);
}
