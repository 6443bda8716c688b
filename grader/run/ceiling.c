/* ceiling.c: runs programs that measure ceilings, caches what they print, reads the description. */
#include "grader/run/ceiling.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/text.h"
#include "grader/run/execute.h"
#include "grader/sandbox/process.h"
#include "harness/sim/base/gpu.h"

static const struct {
  const char *unit;
  double factor;
  const char *described;
} kinds[CEILING_KINDS] = {
    [CEILING_BYTES] = {"GB/s", 1, "the GPU's DRAM"},
    [CEILING_OPERATIONS] = {"TFLOP/s", 1e-3, "the GPU's fp32 units"},
};

const char *ceiling_unit(enum ceiling_kind kind) { return kinds[kind].unit; }

double ceiling_in_unit(enum ceiling_kind kind, double per_ns) {
  return per_ns * kinds[kind].factor;
}

/* --- described --- */

static bool read_description(struct gpu *gpu, char **why) {
  char error[256];
  if (gpu_read(gpu, getenv("KIT_SIM_GPU"), error, sizeof error)) return true;
  *why = xstrdup(error);
  return false;
}

bool ceiling_described(enum ceiling_kind kind, struct ceiling *ceiling, char **why) {
  struct gpu gpu;
  if (!read_description(&gpu, why)) return false;
  *ceiling = (struct ceiling){
      .name = kinds[kind].described,
      .per_ns = kind == CEILING_BYTES ? gpu_bytes_per_ns(&gpu) : gpu_fp32_per_ns(&gpu)};
  return true;
}

char *ceiling_described_device(void) {
  struct gpu gpu;
  char *why = NULL;
  if (!read_description(&gpu, &why)) die("%s", why);
  return xprintf("%s, as described%s", gpu.info.name,
                 gpu.info.measured ? "" : " (published figures, not measured)");
}

/* --- measured --- */

/* Where a measurement is kept: by all that it depends on. */
static char *cache_path(const struct kit *kit, const char *program, const char *entry,
                        const struct problem *problem, const long *dims, const char *device) {
  uint64_t hash = hash_file(HASH_START, program);
  hash = hash_bytes(hash, dims, (size_t)problem->dim_count * sizeof *dims);
  hash = hash_bytes(hash, device, strlen(device) + 1);
  return kit_path(kit, "build/cache/ceiling-%s-%016lx.json", entry, hash);
}

static bool read_cache(const char *path, double *ns) {
  json_auto_t *json = json_load_file(path, 0, NULL);
  *ns = json_number_value(json_object_get(json, "ns"));
  return *ns > 0;
}

/* Best effort. */
static void write_cache(const struct kit *kit, const char *path, double ns) {
  autofree char *folder = kit_path(kit, "build/cache");
  mkdir(folder, 0777);
  json_auto_t *json = json_pack("{s:f}", "ns", ns);
  autofree char *bytes = json_dumps(json, 0);
  file_try_write(path, bytes, strlen(bytes));
}

/* The runner's table of one row: median_ns first, device last. */
static bool read_table(const char *text, double *ns, char **device) {
  const char *row = strncmp(text, "median_ns\t", 10) == 0 ? strchr(text, '\n') : NULL;
  const char *last = row ? strrchr(row, '\t') : NULL;
  if (!last) return false;
  *ns = strtod(row + 1, NULL);
  if (!(*ns > 0)) return false;
  *device = xprintf("%.*s", (int)strcspn(last + 1, "\n"), last + 1);
  return true;
}

static bool measure(const char *program, const char *entry, const struct problem *problem,
                    const long *dims, double *ns, char **device, char **why) {
  const char *argv[4 + PROBLEM_MAX_DIMS + 1] = {program, "--entry", entry, "--time=40"};
  char *words[PROBLEM_MAX_DIMS];
  for (int i = 0; i < problem->dim_count; i++)
    argv[4 + i] = words[i] = xprintf("%s=%ld", problem->dims[i], dims[i]);
  struct process_end end;
  int turn = turn_take(TURN_FILE, TURN_ALONE);
  autofree char *text = process_output((struct process){.argv = argv, .wall_seconds = 60}, &end);
  turn_end(turn);
  bool good = !end.start_error && !end.timed_out && read_table(text, ns, device);
  if (!good)
    *why = end.start_error ? xprintf("%s: %s", program, strerror(end.start_error))
           : end.timed_out ? xprintf("%s did not end within 60 s", program)
                           : xprintf("%s reports: %.*s", program, (int)strcspn(text, "\n"), text);
  for (int i = 0; i < problem->dim_count; i++) free(words[i]);
  return good;
}

bool ceiling_measure(const struct kit *kit, const struct family *family, int way, const long *dims,
                     const char *device, struct ceiling *ceiling, char **why) {
  const struct problem *problem = family->problem;
  const char *entry = family->ceilings[way].entry;
  char *program = kit_path(kit, "build/gpu/ceiling-%s", problem->name), *cache = NULL;
  double ns = 0;
  bool good = true;
  *ceiling = (struct ceiling){.name = family->ceilings[way].name};
  if (access(program, X_OK) != 0) {
    good = false;
    *why = xprintf(
        "there is no build/gpu/ceiling-%s: make grade builds it where nvcc, its libraries and a "
        "GPU are",
        problem->name);
  }
  if (good && device) cache = cache_path(kit, program, entry, problem, dims, device);
  if (cache && read_cache(cache, &ns)) {
    ceiling->device = xstrdup(device);
  } else if (good) {
    good = measure(program, entry, problem, dims, &ns, &ceiling->device, why);
    free(cache);
    cache = good ? cache_path(kit, program, entry, problem, dims, ceiling->device) : NULL;
    if (cache) write_cache(kit, cache, ns);
  }
  ceiling->per_ns = good ? family_work(family, dims) / ns : 0;
  free_all(cache, program);
  return good;
}

bool ceiling_best(const struct kit *kit, const struct family *family, const long *dims,
                  const char *device, struct ceiling *ceiling, char **why) {
  *ceiling = (struct ceiling){0};
  if (!family->ceilings[0].entry) {
    *why = xprintf("nothing measures one for %s", family->problem->name);
    return false;
  }
  for (int way = 0; family->ceilings[way].entry; way++) {
    struct ceiling one;
    if (!ceiling_measure(kit, family, way, dims, device, &one, why)) {
      free(ceiling->device);
      *ceiling = (struct ceiling){0};
      return false;
    }
    if (one.per_ns > ceiling->per_ns) {
      free(ceiling->device);
      *ceiling = one;
    } else {
      free(one.device);
    }
  }
  return true;
}
