/* sizes.c: which sizes, whether there is memory for them, and how lines compare. */
#include "grader/run/sizes.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "grader/lab/dims.h"

/* The simulator keeps two words of notes for a word of device memory. */
static const double bytes_simulated = 3;
/* All copies of the arrays at a time: the grader's, the job's, the report's, and the device's. */
static const double bytes_in_all = 6;

const char *const point_state_names[] = {"left out", "right", "wrong"};

/* --- what was asked for --- */

static int ascending(const void *a, const void *b) {
  long x = *(const long *)a, y = *(const long *)b;
  return (x > y) - (x < y);
}

char *sizes_parse(const char *text, struct sizes *sizes) {
  autofree char *copy = xstrdup(text);
  char *rest = copy, *word;
  while ((word = strsep(&rest, ",")) != NULL) {
    char *end;
    errno = 0;
    long value = strtol(word, &end, 10);
    if (end == word || *end || errno || value < 1 || value > MAX_SIZE)
      return xprintf("'%s' is not a size from 1 to %d", word, MAX_SIZE);
    if (sizes->count == MAX_SIZE_COUNT) return xprintf("more than %d sizes", MAX_SIZE_COUNT);
    *array_add(sizes->values, sizes->count) = value;
  }
  array_sort(sizes->values, sizes->count, ascending);
  int kept = 0;
  for (int i = 0; i < sizes->count; i++)
    if (kept == 0 || sizes->values[i] != sizes->values[kept - 1])
      sizes->values[kept++] = sizes->values[i];
  sizes->count = kept;
  return NULL;
}

int sizes_case(const struct conf *conf) {
  if (conf->sizes.case_name) return conf_case(conf, conf->sizes.case_name);
  for (int i = 0; i < conf->case_count; i++)
    if (conf->cases[i].show) return i;
  return 0;
}

static const struct problem *problem_of(const struct conf *conf, int case_index) {
  return conf_family(conf, &conf->cases[case_index])->problem;
}

static bool is_named(const struct conf *conf, const char *dim) {
  for (int i = 0; i < conf->sizes.dim_count; i++)
    if (strcmp(conf->sizes.dims[i], dim) == 0) return true;
  return false;
}

/* Is a dimension of the problem as large as the size? All lengths are if none is named. */
static bool is_sized(const struct conf *conf, const struct problem *problem, int dim) {
  bool any = false;
  for (int i = 0; i < problem->dim_count; i++) any = any || is_named(conf, problem->dims[i]);
  return any ? is_named(conf, problem->dims[dim]) : !problem->words[dim] && !problem->from_0[dim];
}

void sizes_dims(const struct conf *conf, int case_index, long size, long *dims) {
  const struct problem *problem = problem_of(conf, case_index);
  for (int i = 0; i < problem->dim_count; i++)
    dims[i] = is_sized(conf, problem, i) ? size : conf->cases[case_index].dims[i];
}

char *sizes_dims_words(const struct conf *conf, int case_index) {
  const struct problem *problem = problem_of(conf, case_index);
  struct text words = {0};
  for (int i = 0; i < problem->dim_count; i++)
    if (is_sized(conf, problem, i)) text_add(&words, "%s = ", problem->dims[i]);
  text_add(&words, "n");
  for (int i = 0; i < problem->dim_count; i++)
    if (!is_sized(conf, problem, i)) {
      autofree char *value = dims_value(problem, i, conf->cases[case_index].dims[i]);
      text_add(&words, ", %s = %s", problem->dims[i], value);
    }
  return text_take(&words);
}

/* --- memory --- */

static double bytes_at(const struct sizes *sizes, long size) {
  long dims[PROBLEM_MAX_DIMS] = {0};
  const struct conf *conf = &sizes->lab->conf;
  sizes_dims(conf, sizes->case_index, size, dims);
  return family_bytes(conf_family(conf, &conf->cases[sizes->case_index]), dims);
}

/* The largest size whose arrays take no more. */
static long largest_within(const struct sizes *sizes, double bytes) {
  long low = 0, high = MAX_SIZE + 1; /* low fits, high does not */
  while (high - low > 1) {
    long middle = (low + high) / 2;
    if (bytes_at(sizes, middle) <= bytes)
      low = middle;
    else
      high = middle;
  }
  return low;
}

char *sizes_check(const struct sizes *sizes, double available) {
  const struct conf *conf = &sizes->lab->conf;
  const struct case_conf *entry = &conf->cases[sizes->case_index];
  if (sizes->on_gpu && conf_family(conf, entry)->problem->on_host)
    return xprintf(
        "%s gets its arrays on the host, and such calls are not timed on a GPU; "
        "--backend sim models its kernels, --case NAME picks another function",
        conf_function(conf, entry));
  long size = sizes->values[sizes->count - 1];
  double bytes = bytes_at(sizes, size), allowed = (double)conf->memory_limit * (1 << 20),
         on_device = sizes->on_gpu ? 1 : bytes_simulated;
  if (!sizes->on_gpu && bytes * on_device > allowed)
    return xprintf(
        "the arrays at n = %ld take %.3g GB, and as much twice over for notes of who "
        "uses them; %s allows %ld MiB (memory_limit in its lab.conf), which is enough "
        "up to n = %ld",
        size, bytes / 1e9, sizes->lab->id, conf->memory_limit,
        largest_within(sizes, allowed / on_device));
  if (available > 0 && bytes * bytes_in_all > available)
    return xprintf(
        "the arrays at n = %ld take %.3g GB, with their copies about %.3g GB; this "
        "machine has %.3g GB left, which is enough up to n = %ld",
        size, bytes / 1e9, bytes * bytes_in_all / 1e9, available / 1e9,
        largest_within(sizes, available / bytes_in_all));
  return NULL;
}

double sizes_available(void) {
  char line[128];
  double kib = 0;
  FILE *file = fopen("/proc/meminfo", "re");
  while (file && kib == 0 && fgets(line, sizeof line, file))
    if (sscanf(line, "MemAvailable: %lf kB", &kib) != 1) kib = 0;
  if (file) fclose(file);
  return kib * 1024;
}

/* --- what was found --- */

struct size_line *sizes_add_line(struct sizes *sizes, enum line_role role, char *id, char *name) {
  struct size_line *line = array_add(sizes->lines, sizes->line_count);
  *line = (struct size_line){.role = role, .id = id, .name = name};
  line->points = xcalloc((size_t)sizes->count, sizeof *line->points);
  return line;
}

void sizes_add_note(struct sizes *sizes, char *note) {
  *array_add(sizes->notes, sizes->note_count) = note;
}

static double share(const struct size_point *point) {
  return point->deviation_ns > 0 ? point->deviation_ns / point->ns : 0;
}

double sizes_speedup(const struct sizes *sizes, int line, int over, int i, double *spread) {
  const struct size_point *point = &sizes->lines[line].points[i],
                          *base = &sizes->lines[over].points[i];
  if (point->state != POINT_RIGHT || base->state != POINT_RIGHT) return NAN;
  double speedup = base->ns / point->ns;
  /* Of a ratio: relative deviations add up as squares. */
  if (spread) *spread = speedup * hypot(share(point), share(base));
  return speedup;
}

int sizes_best_cpu(const struct sizes *sizes) {
  int best = -1;
  for (int i = sizes->count - 1; i >= 0 && best < 0; i--) {
    for (int l = 0; l < sizes->line_count; l++) {
      const struct size_point *point = &sizes->lines[l].points[i];
      if (sizes->lines[l].role != LINE_CPU || point->state != POINT_RIGHT) continue;
      if (best < 0 || point->ns < sizes->lines[best].points[i].ns) best = l;
    }
  }
  return best;
}

void sizes_free(struct sizes *sizes) {
  for (int l = 0; l < sizes->line_count; l++) {
    for (int i = 0; i < sizes->count; i++) free(sizes->lines[l].points[i].reason);
    free_all(sizes->lines[l].id, sizes->lines[l].name, sizes->lines[l].points);
  }
  for (int i = 0; i < sizes->note_count; i++) free(sizes->notes[i]);
  free_all(sizes->values, sizes->device, sizes->cpu, sizes->lines, sizes->notes, sizes->error);
}
