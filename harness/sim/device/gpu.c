/* gpu.c: reads a GPU description (INI, by inih) and models time from counters; see gpu.h.
 *
 * The model is the largest of a few bounds, each a count over a rate: issued instructions,
 * floating-point operations, L1 lines, shared-memory wavefronts, L2 sectors of stores and of all
 * accesses, block dispatch. A launch that does not fill the chip uses only as many SMs as it has blocks.
 */
#include "gpu.h"

#include <ini.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text of gpus/h100.ini, put here by the assembler so that a runner needs no file. */
__asm__(
    ".pushsection .rodata\n"
    ".global kit_gpu_text\n"
    "kit_gpu_text: .incbin \"harness/sim/gpus/h100.ini\"\n"
    ".byte 0\n"
    ".popsection\n");
extern const char kit_gpu_text[];

#define INFO_KEYS(X)                                                                        \
  X(compute_major)                                                                          \
  X(compute_minor)                                                                          \
  X(sm_count) X(clock_khz) X(memory_clock_khz) X(memory_bus_bits) X(max_threads_per_block)  \
      X(max_threads_per_sm) X(max_blocks_per_sm) X(registers_per_block) X(registers_per_sm) \
          X(shared_per_block) X(shared_per_block_optin) X(shared_per_sm)
#define MODEL_KEYS(X)                                                                        \
  X(issue_per_cycle) X(l1_cycles_per_line) X(shared_cycles_per_wavefront)                    \
  X(l2_sectors_per_ns) X(l2_store_sectors_per_ns) X(dram_bytes_per_ns) X(fp32_ops_per_cycle) \
      X(fp64_ops_per_cycle) X(launch_ns) X(blocks_per_ns)

struct reader {
  struct gpu *gpu;
  int keys;
  char wrong[96]; /* the first key that is not known or not a positive number */
};

static int set_number(struct reader *reader, const char *key, const char *value, double *number) {
  char *end;
  *number = strtod(value, &end);
  if (end == value || *end || !(*number > 0 || strcmp(key, "compute_minor") == 0)) {
    snprintf(reader->wrong, sizeof reader->wrong, "%s = %s", key, value);
    return 0;
  }
  reader->keys++;
  return 1;
}

static int on_key(void *context, const char *section, const char *key, const char *value) {
  struct reader *reader = context;
  struct gpu *gpu = reader->gpu;
  double number = 0;
  if (strcmp(section, "gpu") == 0) {
    if (strcmp(key, "name") == 0) {
      snprintf(gpu->info.name, sizeof gpu->info.name, "%s", value);
      reader->keys++;
      return 1;
    }
#define X(field)                                            \
  if (strcmp(key, #field) == 0) {                           \
    if (!set_number(reader, key, value, &number)) return 0; \
    gpu->info.field = (int)number;                          \
    return 1;                                               \
  }
    INFO_KEYS(X)
#undef X
    if (strcmp(key, "memory_mib") == 0 && set_number(reader, key, value, &number)) {
      gpu->info.memory_bytes = (uint64_t)number << 20;
      return 1;
    }
    if (strcmp(key, "l2_mib") == 0 && set_number(reader, key, value, &number)) {
      gpu->info.l2_bytes = (int)number << 20;
      return 1;
    }
  }
  if (strcmp(section, "model") == 0) {
#define X(field) \
  if (strcmp(key, #field) == 0) return set_number(reader, key, value, &gpu->model.field);
    MODEL_KEYS(X)
#undef X
  }
  if (!reader->wrong[0])
    snprintf(reader->wrong, sizeof reader->wrong, "unknown key '%s' in [%s]", key, section);
  return 0;
}

bool gpu_read(struct gpu *gpu, const char *path, char *error, size_t error_size) {
  enum { KEYS = 14 + 10 + 3 };
  memset(gpu, 0, sizeof *gpu);
  struct reader reader = {.gpu = gpu};
  int line =
      path ? ini_parse(path, on_key, &reader) : ini_parse_string(kit_gpu_text, on_key, &reader);
  const char *file = path ? path : "built-in gpus/h100.ini";
  if (line == -1) {
    snprintf(error, error_size, "cannot read the GPU description %s", file);
    return false;
  }
  if (line != 0 || reader.keys != KEYS) {
    snprintf(error, error_size, "%s:%d: %s", file, line,
             reader.wrong[0] ? reader.wrong : "keys are missing or given twice");
    return false;
  }
  struct device_info *info = &gpu->info;
  info->warp_size = 32;
  info->max_block[0] = info->max_block[1] = 1024;
  info->max_block[2] = 64;
  info->max_grid[0] = INT32_MAX;
  info->max_grid[1] = info->max_grid[2] = 65535;
  return true;
}

double gpu_model_time(const struct gpu *gpu, const struct launch_report *launch,
                      const char **bound) {
  const struct gpu_model *m = &gpu->model;
  const uint64_t *c = launch->counters.value;
  double blocks = (double)launch->grid[0] * launch->grid[1] * launch->grid[2];
  double sms = blocks < gpu->info.sm_count ? blocks : gpu->info.sm_count;
  double cycles_per_ns = sms * gpu->info.clock_khz * 1e-6;
  double lines = (double)(c[COUNTER_global_load_lines] + c[COUNTER_global_store_lines]);
  double wavefronts =
      (double)(c[COUNTER_shared_load_wavefronts] + c[COUNTER_shared_store_wavefronts]);
  /* Stores and atomics always go to L2, one by one; loads where no other load of their block has
   * brought the sector into L1. At most one for each float stored: kernels that load more read the
   * same data again and again, and much of that is in L1 for another block of the SM. (A product of
   * 512 x 512 in blocks of 128 x 1 loads 16.9 million, block by block; an H100 read 0.98 million from
   * L2.) */
  double l2_stores = (double)(c[COUNTER_global_store_sectors] + c[COUNTER_global_atomic_sectors]);
  double stored_floats = (double)c[COUNTER_global_store_bytes] / 4;
  double l2_loads = fmin((double)c[COUNTER_l2_load_sectors], stored_floats);
  double l2 = l2_loads + l2_stores;
  const struct {
    const char *name;
    double ns;
  } bounds[] = {
      {"instruction issue", (double)c[COUNTER_inst_executed] / m->issue_per_cycle / cycles_per_ns},
      {"fp32 arithmetic", (double)c[COUNTER_fp32_ops] / m->fp32_ops_per_cycle / cycles_per_ns},
      {"fp64 arithmetic", (double)c[COUNTER_fp64_ops] / m->fp64_ops_per_cycle / cycles_per_ns},
      {"L1 lines", lines * m->l1_cycles_per_line / cycles_per_ns},
      {"shared memory", wavefronts * m->shared_cycles_per_wavefront / cycles_per_ns},
      {"L2 sectors", l2 / m->l2_sectors_per_ns},
      {"L2 stores", l2_stores / m->l2_store_sectors_per_ns},
      {"block dispatch", blocks / m->blocks_per_ns},
  };
  double most = 0;
  *bound = "launch";
  for (size_t i = 0; i < sizeof bounds / sizeof bounds[0]; i++)
    if (bounds[i].ns > most) {
      most = bounds[i].ns;
      *bound = bounds[i].name;
    }
  if (most < m->launch_ns) *bound = "launch";
  return most + m->launch_ns;
}
