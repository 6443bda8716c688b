/* gpu.c: reads a GPU description (INI, by inih); see gpu.h. */
#include "gpu.h"

#include <ini.h>
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
#define MODEL_KEYS(X)                                                                            \
  X(launch_interval_ns)                                                                          \
  X(launch_gap_ns) X(blocks_per_ns) X(block_turn_cycles) X(branch_cycles) X(predicate_cycles) X(barrier_cycles)      \
      X(barrier_warp_cycles) X(shared_latency) X(l1_latency) X(l2_latency) X(dram_latency)       \
          X(sm_line_cycles) X(sm_sector_cycles) X(sm_store_cycles) X(l2_lines_per_ns)            \
              X(l2_sectors_per_ns) X(l2_store_units_per_ns) X(l2_missing_word) X(l2_atomics_per_ns) X(l2_atomic_ns) X(l2_keeps)     \
                  X(l2_loses) X(dram_bytes_per_ns) X(dram_random_loads_per_ns) X(dram_random_stores_per_ns) X(dram_queue_ns) X(dram_mixed_queue_ns)

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
  #define ONE(field) +1
  enum { KEYS = 3 INFO_KEYS(ONE) MODEL_KEYS(ONE) };
#undef ONE
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

double gpu_bytes_per_ns(const struct gpu *gpu) { return gpu->model.dram_bytes_per_ns; }

/* Lanes a SM: CUDA C++ Programming Guide, arithmetic instructions, throughput of fp32 add, multiply and
 * multiply-add by compute capability. An FMA is two operations. */
double gpu_fp32_per_ns(const struct gpu *gpu) {
  int capability = 10 * gpu->info.compute_major + gpu->info.compute_minor;
  int lanes = capability == 60 || (capability >= 70 && capability <= 80) ? 64 : 128;
  return 2.0 * lanes * gpu->info.sm_count * gpu->info.clock_khz * 1e-6;
}
