/* gpu.c: reads the description of a GPU, an INI file with one row per key in the table below. */
#include "harness/sim/base/gpu.h"

#include <ini.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The text of gpus/h100.ini, embedded by the assembler so that a runner needs no file. */
__asm__(
    ".pushsection .rodata\n"
    ".global kit_gpu_text\n"
    "kit_gpu_text: .incbin \"harness/sim/gpus/" GPU_BUILT_IN
    ".ini\"\n"
    ".byte 0\n"
    ".popsection\n");
extern const char kit_gpu_text[];

/* clang-format off */
#define INFO_KEYS(X) \
  X(compute_major) X(compute_minor) X(sm_count) X(clock_khz) X(memory_clock_khz) \
  X(memory_bus_bits) X(max_threads_per_block) X(max_threads_per_sm) X(max_blocks_per_sm) \
  X(registers_per_block) X(registers_per_sm) X(shared_per_block) X(shared_per_block_optin) \
  X(shared_per_sm)
#define MODEL_KEYS(X) \
  X(launch_interval_ns) X(launch_gap_ns) X(blocks_per_ns) X(block_turn_cycles) \
  X(l1_line_cycles) X(block_warp_cycles) X(shared_add_cycles) X(shared_loop_cycles) \
  X(shared_loop_latency) \
  X(l2_keeps_reads) X(l2_loses_reads) X(dram_reads_per_ns) X(dram_writes_per_ns) \
  X(branch_cycles) X(predicate_cycles) X(two_reads_cycles) X(three_reads_cycles) \
  X(barrier_cycles) X(barrier_warp_cycles) \
  X(shared_latency) X(l1_latency) X(l2_latency) X(dram_latency) X(sm_line_cycles) \
  X(sm_sector_cycles) X(sm_store_cycles) X(l2_lines_per_ns) X(l2_sectors_per_ns) \
  X(l2_store_units_per_ns) X(l2_missing_word) X(l2_atomics_per_ns) \
  X(l2_returning_atomics_per_ns) X(l2_atomic_ns) X(l2_atomic_next_ns) X(l2_atomic_sum_ns) \
  X(l2_keeps) X(l2_loses) X(dram_bytes_per_ns) X(dram_random_loads_per_ns) \
  X(dram_random_stores_per_ns) \
  X(dram_queue_ns) X(dram_mixed_queue_ns) X(dram_spread_cycles)
#define TIMELINE_KEYS(X) \
  X(launch_ns) X(copy_call_ns) X(copy_on_device_call_ns) X(fill_call_ns) X(record_call_ns) \
  X(wait_call_ns) X(query_ns) X(synchronize_ns) X(function_call_ns) X(allocate_ns) X(free_ns) \
  X(small_allocate_ns) X(small_free_ns) \
  X(pin_per_ns) X(unpin_per_ns) X(register_ns) X(register_per_ns) \
  X(unregister_ns) X(unregister_per_ns) \
  X(issue_ns) X(kernel_issue_ns) X(copy_issue_ns) X(return_ns) X(stagger_ns) X(engine_switch_ns) \
  X(copy_switch_ns) X(event_hop_ns) X(record_ns) X(function_ns) X(connections) X(kernels) \
  X(copy_groups) \
  X(copy_in_ns) X(copy_out_ns) X(inline_bytes) X(link_bytes_per_ns) X(link_both_per_ns) \
  X(pageable_in_ns) X(pageable_near_bytes) X(pageable_near_per_ns) X(pageable_far_per_ns) \
  X(pageable_out_ns) X(pageable_out_start_ns) X(pageable_out_per_ns) X(staging_bytes) \
  X(mapped_ns) X(mapped_per_ns) X(mapped_both_ns) X(mapped_both_per_ns) X(copy_beside_mapped) \
  X(mapped_beside_copy) X(host_fault_per_ns) X(host_map_per_ns) X(fault_ns) \
  X(fault_more_ns) X(fault_per_ns) X(fetch_ns) X(fetch_in_per_ns) X(fetch_out_per_ns) \
  X(copy_on_device_ns) X(copy_on_device_per_ns) X(fill_ns) X(fill_per_ns)
/* clang-format on */

/* What a key stands for. */
struct key {
  const char *section, *name;
  enum { TEXT, WHOLE, FIGURE, L2_MIB, MEMORY_MIB, SOURCE } kind;
  size_t offset; /* in struct gpu */
};

#define INFO(field) {"gpu", #field, WHOLE, offsetof(struct gpu, info.field)},
#define TIMELINE(field) {"timeline", #field, FIGURE, offsetof(struct gpu, timeline.field)},
#define MODEL(field) {"model", #field, FIGURE, offsetof(struct gpu, model.field)},
static const struct key keys[] = {
    {"gpu", "name", TEXT, offsetof(struct gpu, info.name)},
    {"gpu", "figures", SOURCE, offsetof(struct gpu, info.measured)},
    {"gpu", "l2_mib", L2_MIB, offsetof(struct gpu, info.l2_bytes)},
    {"gpu", "memory_mib", MEMORY_MIB, offsetof(struct gpu, info.memory_bytes)},
    INFO_KEYS(INFO) MODEL_KEYS(MODEL) TIMELINE_KEYS(TIMELINE)};
enum { KEYS = sizeof keys / sizeof keys[0] };

struct reader {
  struct gpu *gpu;
  bool seen[KEYS];
  char wrong[160]; /* the first thing that is */
};

static int __attribute__((format(printf, 2, 3)))
complain(struct reader *reader, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (!reader->wrong[0]) vsnprintf(reader->wrong, sizeof reader->wrong, format, args);
  va_end(args);
  return 0;
}

static int set(struct reader *reader, const struct key *key, const char *value) {
  char *field = (char *)reader->gpu + key->offset, *end;
  if (key->kind == TEXT) {
    snprintf(reader->gpu->info.name, sizeof reader->gpu->info.name, "%s", value);
    return 1;
  }
  if (key->kind == SOURCE) {
    *(bool *)(void *)field = strcmp(value, "measured") == 0;
    if (*(bool *)(void *)field || strcmp(value, "published") == 0) return 1;
    return complain(reader, "figures = %s: neither measured nor published", value);
  }
  double number = strtod(value, &end), max = key->kind == L2_MIB ? INT32_MAX >> 20 : INT32_MAX;
  bool may_be_zero = strcmp(key->name, "compute_minor") == 0;
  if (end == value || *end || !(number > 0 || (may_be_zero && number == 0)) || number > max)
    return complain(reader, "%s = %s: not a positive number of a sensible size", key->name, value);
  if (key->kind == FIGURE) *(double *)(void *)field = number;
  if (key->kind == WHOLE) *(int *)(void *)field = (int)number;
  if (key->kind == L2_MIB) *(int *)(void *)field = (int)number << 20;
  if (key->kind == MEMORY_MIB) *(uint64_t *)(void *)field = (uint64_t)number << 20;
  return 1;
}

static int on_key(void *context, const char *section, const char *name, const char *value) {
  struct reader *reader = context;
  for (int i = 0; i < KEYS; i++) {
    if (strcmp(section, keys[i].section) != 0 || strcmp(name, keys[i].name) != 0) continue;
    if (reader->seen[i]) return complain(reader, "%s is given twice", name);
    reader->seen[i] = true;
    return set(reader, &keys[i], value);
  }
  return complain(reader, "unknown key '%s' in [%s]", name, section);
}

bool gpu_read(struct gpu *gpu, const char *path, char *error, size_t error_size) {
  memset(gpu, 0, sizeof *gpu);
  struct reader reader = {.gpu = gpu};
  int line =
      path ? ini_parse(path, on_key, &reader) : ini_parse_string(kit_gpu_text, on_key, &reader);
  const char *file = path ? path : "built-in gpus/" GPU_BUILT_IN ".ini";
  if (line < 0) {
    snprintf(error, error_size, "cannot read the GPU description %s", file);
    return false;
  }
  if (line) {
    snprintf(error, error_size, "%s:%d: %s", file, line,
             reader.wrong[0] ? reader.wrong : "neither [section] nor key = value");
    return false;
  }
  for (int i = 0; i < KEYS; i++) {
    if (reader.seen[i]) continue;
    snprintf(error, error_size, "%s: the key %s is missing from [%s]", file, keys[i].name,
             keys[i].section);
    return false;
  }
  struct device_info *info = &gpu->info;
  if (!gpu_capability(info)) {
    char known[80];
    capability_list(known, sizeof known);
    snprintf(error, error_size, "%s: compute capability %d.%d is not modelled; those that are: %s",
             file, info->compute_major, info->compute_minor, known);
    return false;
  }
  info->warp_size = 32;
  info->max_block[0] = info->max_block[1] = 1024;
  info->max_block[2] = 64;
  info->max_grid[0] = INT32_MAX;
  info->max_grid[1] = info->max_grid[2] = 65535;
  return true;
}

double gpu_bytes_per_ns(const struct gpu *gpu) { return gpu->model.dram_bytes_per_ns; }

/* An FMA is two operations. */
double gpu_fp32_per_ns(const struct gpu *gpu) {
  return 2.0 * gpu_capability(&gpu->info)->fp32 * gpu->info.sm_count * gpu->info.clock_khz * 1e-6;
}
