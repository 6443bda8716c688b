/* resources.c: see resources.h. */
#include "grader/show/resources.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"

/* ---- what there is ---- */

void resources_read_gpu(struct gpu *gpu) {
  char error[256];
  if (!gpu_read(gpu, getenv("KIT_SIM_GPU"), error, sizeof error)) die("%s", error);
}

static uint64_t product(const uint64_t *extent) { return extent[0] * extent[1] * extent[2]; }

static void find_occupancy(const struct gpu *gpu, struct kernel_resources *kernel) {
  const struct device_info *info = &gpu->info;
  kernel->limits = occupancy_of(info, kernel->threads, kernel->registers,
                                (size_t)(kernel->static_bytes + kernel->dynamic_bytes));
  int of_block = (kernel->threads + info->warp_size - 1) / info->warp_size;
  kernel->warps = kernel->limits.blocks * of_block;
  kernel->percent = 100.0 * kernel->warps * info->warp_size / info->max_threads_per_sm;
  double at_once = (double)kernel->limits.blocks * info->sm_count;
  kernel->waves = at_once > 0 ? (double)product(kernel->grid) / at_once : 0;
}

struct kernel_resources resources_of_launch(const struct gpu *gpu,
                                            const struct launch_record *launch,
                                            const struct register_list *list) {
  const struct kernel_registers *counted = registers_of(list, launch->kernel);
  struct kernel_resources kernel = {
      .kernel = launch->kernel,
      .threads = (int)product(launch->block),
      .registers = (int)(counted ? counted->registers : launch->registers),
      .static_bytes =
          counted ? counted->shared_bytes : launch->shared_bytes - launch->dynamic_shared_bytes,
      .dynamic_bytes = launch->dynamic_shared_bytes,
      .spilled_bytes = counted ? counted->spilled_bytes : 0,
      .counted = counted != NULL};
  memcpy(kernel.grid, launch->grid, sizeof kernel.grid);
  memcpy(kernel.block, launch->block, sizeof kernel.block);
  find_occupancy(gpu, &kernel);
  return kernel;
}

static bool is_same(const struct kernel_resources *a, const struct kernel_resources *b) {
  return a->case_name == b->case_name && strcmp(a->kernel, b->kernel) == 0 &&
         memcmp(a->block, b->block, sizeof a->block) == 0 && a->dynamic_bytes == b->dynamic_bytes;
}

static void add(struct resources *resources, struct kernel_resources kernel) {
  for (int i = 0; i < resources->count; i++) {
    struct kernel_resources *item = &resources->items[i];
    if (!is_same(item, &kernel)) continue;
    if (product(kernel.grid) > product(item->grid)) *item = kernel;
    return;
  }
  *array_add(resources->items, resources->count) = kernel;
}

bool resources_is_kernel(const struct launch_record *launch) {
  enum { MAX_THREADS = 1024 };
  uint64_t threads = product(launch->block);
  return threads >= 1 && threads <= MAX_THREADS && launch->registers <= 255 &&
         launch->dynamic_shared_bytes <= launch->shared_bytes;
}

void resources_of_grade(const struct grade *grade, struct resources *resources) {
  const struct conf *conf = &grade->lab->conf;
  *resources = (struct resources){.count = 0};
  resources_read_gpu(&resources->gpu);
  for (int i = 0; i < conf->case_count && grade->cases; i++) {
    const struct report *report = &grade->cases[i].report;
    if ((!conf->cases[i].show && !grade->partial) || hidden_keeps_quiet(grade, i)) continue;
    for (int l = 0; l < report->launch_count; l++) {
      const struct launch_record *launch = &report->launches[l];
      if (launch->set != 0 || !resources_is_kernel(launch)) continue;
      struct kernel_resources kernel =
          resources_of_launch(&resources->gpu, launch, &grade->registers);
      kernel.case_name = conf->cases[i].name;
      add(resources, kernel);
    }
  }
}

void resources_free(struct resources *resources) {
  free(resources->items);
  *resources = (struct resources){.count = 0};
}

/* ---- in words ---- */

char *resources_limit(const struct kernel_resources *kernel) {
  const struct occupancy *limits = &kernel->limits;
  const struct {
    int blocks;
    const char *name;
  } all[] = {{limits->registers, "registers"},
             {limits->shared, "shared memory"},
             {limits->warps, "warps"},
             {limits->slots, "blocks"}};
  struct text words = {0};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++)
    if (all[i].blocks == limits->blocks)
      text_add(&words, "%s%s", words.length ? " and " : "", all[i].name);
  return text_take(&words);
}

/* The occupancy with one of the two changed, in blocks. */
static int blocks_with(const struct gpu *gpu, const struct kernel_resources *kernel, int registers,
                       uint64_t shared) {
  return occupancy_of(&gpu->info, kernel->threads, registers, (size_t)shared).blocks;
}

/* Registers or shared memory by which one block more would fit: at most a quarter less of it, for
 * more has to be written another way. */
static char *advice_to_save(const struct gpu *gpu, const struct kernel_resources *kernel) {
  enum { LEAST_REGISTERS = 16 };
  uint64_t shared = kernel->static_bytes + kernel->dynamic_bytes, less = shared;
  int blocks = kernel->limits.blocks, registers = kernel->registers;
  while (registers > LEAST_REGISTERS && blocks_with(gpu, kernel, registers, shared) == blocks)
    registers--;
  if (blocks_with(gpu, kernel, registers, shared) > blocks &&
      4 * registers >= 3 * kernel->registers)
    return xprintf(
        "with %d registers a thread instead of %d an SM would hold %d blocks: "
        "__launch_bounds__(%d, %d) asks for it.",
        registers, kernel->registers, blocks_with(gpu, kernel, registers, shared), kernel->threads,
        blocks_with(gpu, kernel, registers, shared));
  while (less > 0 && blocks_with(gpu, kernel, kernel->registers, less) == blocks)
    less -= less < 128 ? less : 128;
  if (less < shared && blocks_with(gpu, kernel, kernel->registers, less) > blocks &&
      4 * less >= 3 * shared)
    return xprintf(
        "with %lu bytes of shared memory a block instead of %lu an SM would hold %d "
        "blocks.",
        less, shared, blocks_with(gpu, kernel, kernel->registers, less));
  return NULL;
}

char *resources_advice(const struct gpu *gpu, const struct kernel_resources *kernel) {
  const struct device_info *info = &gpu->info;
  const struct occupancy *limits = &kernel->limits;
  int lanes = info->warp_size, of_block = (kernel->threads + lanes - 1) / lanes,
      all = info->max_threads_per_sm / lanes;
  if (limits->blocks == 0) return xstrdup("not even one block fits: the launch fails.");
  if (kernel->threads % lanes)
    return xprintf(
        "in the last warp of each block %d of %d lanes stay idle: blocks should have a "
        "multiple of %d threads.",
        of_block * lanes - kernel->threads, lanes, lanes);
  if (kernel->waves < 1 && product(kernel->grid) < (uint64_t)info->sm_count)
    return xprintf("its grid has %lu block%s for %d SMs: more, smaller blocks would use them all.",
                   product(kernel->grid), product(kernel->grid) == 1 ? "" : "s", info->sm_count);
  if (kernel->warps == all) return NULL;
  if (limits->blocks == limits->slots)
    return xprintf(
        "%d blocks are all that an SM holds: with %d threads or more in each they would "
        "fill its %d warps.",
        limits->slots, all / limits->slots * lanes, all);
  if (limits->blocks == limits->warps)
    return xprintf("%d warps a block do not divide an SM's %d: blocks of 256 threads do.", of_block,
                   all);
  return advice_to_save(gpu, kernel);
}

char *resources_source(const struct register_list *list) {
  if (!list) return xstrdup("registers estimated from the PTX");
  return list->compiler ? xprintf("registers by %s", list->compiler)
                        : xstrdup(
                              "registers estimated from the PTX; where nvcc or ptxas is "
                              "installed they are exact");
}

/* ---- the table ---- */

static void print_row(const struct screen *screen, const struct kernel_resources *kernel) {
  const struct occupancy *limits = &kernel->limits;
  char block[40];
  snprintf(block, sizeof block, kernel->block[2] > 1 ? "%lux%lux%lu" : "%lux%lu", kernel->block[0],
           kernel->block[1], kernel->block[2]);
  screen_line(screen, PLAIN, "%-20.20s %9s %5d%s %7lu %7lu %5d %6d %5d %6d", kernel->kernel, block,
              kernel->registers, kernel->counted ? " " : "~", kernel->static_bytes,
              kernel->dynamic_bytes, limits->registers, limits->shared, limits->warps,
              limits->slots);
}

static void print_sentence(const struct screen *screen, const struct resources *resources,
                           const struct kernel_resources *kernel) {
  autofree char *limit = resources_limit(kernel),
                *advice = resources_advice(&resources->gpu, kernel),
                *label = kernel->case_name
                             ? xprintf("%s in case %s: ", kernel->kernel, kernel->case_name)
                             : xprintf("%s: ", kernel->kernel),
                *waves = xprintf(kernel->waves < 10 ? "%.2g" : "%.0f", kernel->waves),
                *spills = kernel->spilled_bytes ? xprintf(
                                                      " It spills %lu bytes a thread to local "
                                                      "memory.",
                                                      kernel->spilled_bytes)
                                                : xstrdup(""),
                *words = xprintf(
                    "%d block%s and %d warps an SM, occupancy %.0f%%, limited by %s; "
                    "%s waves.%s%s%s",
                    kernel->limits.blocks, kernel->limits.blocks == 1 ? "" : "s", kernel->warps,
                    kernel->percent, limit, waves, spills, advice ? " To gain some: " : "",
                    advice ? advice : "");
  screen_wrap(screen, PLAIN, 2, label, words);
}

void resources_print(const struct screen *screen, const struct resources *resources,
                     const struct register_list *list) {
  autofree char *source = resources_source(list);
  screen_newline(screen);
  if (!resources->count) {
    screen_line(screen, BOLD, "Resources: no kernel was launched");
    return;
  }
  screen_line(screen, BOLD, "%-20s %9s %5s  %7s %7s %5s %6s %5s %6s", "Resources", "block", "regs",
              "static", "dynamic", "regs", "shared", "warps", "blocks");
  screen_line(screen, DIM, "%-20s %9s %5s  %15s %25s", "", "", "", "bytes of shared",
              "limits, in blocks an SM");
  for (int i = 0; i < resources->count; i++) print_row(screen, &resources->items[i]);
  screen_rule(screen);
  for (int i = 0; i < resources->count; i++)
    print_sentence(screen, resources, &resources->items[i]);
  autofree char *words = xprintf("%s, %s", resources->gpu.info.name, source);
  screen_wrap(screen, DIM, 0, "", words);
}

/* ---- JSON ---- */

static json_t *extent_to_json(const uint64_t *extent) {
  return json_pack("[I, I, I]", (json_int_t)extent[0], (json_int_t)extent[1],
                   (json_int_t)extent[2]);
}

json_t *resources_to_json(const struct resources *resources, const struct register_list *list) {
  json_t *array = json_array();
  for (int i = 0; i < resources->count; i++) {
    const struct kernel_resources *kernel = &resources->items[i];
    const struct occupancy *limits = &kernel->limits;
    autofree char *limit = resources_limit(kernel),
                  *advice = resources_advice(&resources->gpu, kernel);
    json_array_append_new(
        array,
        json_pack("{s:s?, s:s, s:o, s:o, s:i, s:s?, s:I, s:I, s:I, s:{s:i, s:i, s:i, s:i}, s:i, "
                  "s:i, s:f, s:s, s:f, s:s?}",
                  "case", kernel->case_name, "kernel", kernel->kernel, "grid",
                  extent_to_json(kernel->grid), "block", extent_to_json(kernel->block), "registers",
                  kernel->registers, "registers_by", kernel->counted ? list->compiler : NULL,
                  "spilled_bytes", (json_int_t)kernel->spilled_bytes, "static_shared_bytes",
                  (json_int_t)kernel->static_bytes, "dynamic_shared_bytes",
                  (json_int_t)kernel->dynamic_bytes, "limits", "registers", limits->registers,
                  "shared_memory", limits->shared, "warps", limits->warps, "blocks", limits->slots,
                  "blocks_per_sm", limits->blocks, "warps_per_sm", kernel->warps,
                  "occupancy_percent", kernel->percent, "limited_by", limit, "waves", kernel->waves,
                  "advice", advice));
  }
  return array;
}
