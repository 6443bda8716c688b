/* program_found.c: see program_found.h. */
#include "grader/show/program_found.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"

const char *program_text(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

double program_number(const json_t *object, const char *key) {
  return json_number_value(json_object_get(object, key));
}

/* ---- launches and lines ---- */

static bool same_shape(const json_t *a, const json_t *b) {
  static const char *const keys[] = {"kernel", "grid", "block"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (!json_equal(json_object_get(a, keys[i]), json_object_get(b, keys[i]))) return false;
  return true;
}

static struct program_kernel *kernel_of(struct program_found *found, const json_t *launch) {
  for (int i = 0; i < found->kernel_count; i++)
    if (same_shape(found->kernels[i].first, launch)) return &found->kernels[i];
  struct program_kernel *kernel = array_add(found->kernels, found->kernel_count);
  *kernel = (struct program_kernel){.first = launch,
                                    .name = program_text(launch, "kernel"),
                                    .bound = program_text(launch, "bound"),
                                    .timed = true};
  return kernel;
}

static struct program_line *line_of(struct program_found *found, const char *file, int number) {
  for (int i = 0; i < found->line_count; i++)
    if (found->lines[i].line == number && strcmp(found->lines[i].file, file) == 0)
      return &found->lines[i];
  struct program_line *line = array_add(found->lines, found->line_count);
  line->file = file;
  line->line = number;
  return line;
}

static void add_counters(struct counters *to, const json_t *object) {
  struct counters counters;
  if (counters_from_json(json_object_get(object, "counters"), false, &counters))
    counters_add(to, &counters);
}

static void add_launch(struct program_found *found, const json_t *launch) {
  const json_t *several = json_object_get(launch, "launches"), *line;
  struct program_kernel *kernel = kernel_of(found, launch);
  kernel->launches += several ? json_number_value(several) : 1;
  kernel->time_ns += program_number(launch, "time_ns");
  kernel->timed = kernel->timed && json_is_number(json_object_get(launch, "time_ns"));
  add_counters(&kernel->counters, launch);
  add_counters(&found->totals, launch);
  size_t i;
  json_array_foreach (json_object_get(launch, "lines"), i, line)
    add_counters(
        &line_of(found, program_text(line, "file"), (int)program_number(line, "line"))->counters,
        line);
}

static int by_time(const void *a, const void *b) {
  const struct program_kernel *x = a, *y = b;
  return (x->time_ns < y->time_ns) - (x->time_ns > y->time_ns);
}

static int by_waste(const void *a, const void *b) {
  double x = program_line_waste(a), y = program_line_waste(b);
  return (x < y) - (x > y);
}

void program_found_read(const json_t *report, struct program_found *found) {
  *found = (struct program_found){0};
  size_t i;
  const json_t *launch;
  json_array_foreach (json_object_get(report, "launches"), i, launch) add_launch(found, launch);
  array_sort(found->kernels, found->kernel_count, by_time);
  array_sort(found->lines, found->line_count, by_waste);
}

void program_found_free(struct program_found *found) {
  free_all(found->kernels, found->lines);
  *found = (struct program_found){0};
}

/* ---- words ---- */

static double count_of(const struct program_line *line, enum counter counter) {
  return (double)line->counters.value[counter];
}

static double wavefronts_of(const struct program_line *line) {
  return count_of(line, COUNTER_shared_load_wavefronts) +
         count_of(line, COUNTER_shared_store_wavefronts);
}

static double ideal_of(const struct program_line *line) {
  return count_of(line, COUNTER_shared_load_ideal) + count_of(line, COUNTER_shared_store_ideal);
}

double program_line_waste(const struct program_line *line) {
  double loads = count_of(line, COUNTER_global_load_sectors) -
                 count_of(line, COUNTER_global_load_used_bytes) / 32,
         stores = count_of(line, COUNTER_global_store_sectors) -
                  count_of(line, COUNTER_global_store_used_bytes) / 32,
         wavefronts = wavefronts_of(line) - ideal_of(line);
  return (loads > 0 ? loads : 0) + (stores > 0 ? stores : 0) + (wavefronts > 0 ? wavefronts : 0);
}

static void add_sectors(struct text *words, const char *what, double requests, double sectors,
                        double bytes, const char *used) {
  if (requests > 0)
    text_add(words, "%s: %.3g sectors per request, %.0f%% of their bytes are %s; ", what,
             sectors / requests, 100 * bytes / (32 * sectors), used);
}

char *program_line_words(const struct program_line *line) {
  struct text words = {0};
  add_sectors(&words, "loads", count_of(line, COUNTER_global_load_requests),
              count_of(line, COUNTER_global_load_sectors),
              count_of(line, COUNTER_global_load_used_bytes), "used");
  add_sectors(&words, "stores", count_of(line, COUNTER_global_store_requests),
              count_of(line, COUNTER_global_store_sectors),
              count_of(line, COUNTER_global_store_used_bytes), "written");
  if (count_of(line, COUNTER_shared_load_inst) + count_of(line, COUNTER_shared_store_inst) > 0)
    text_add(&words, "shared memory: %.0f wavefronts where %.0f would do; ", wavefronts_of(line),
             ideal_of(line));
  if (words.length >= 2) words.data[words.length - 2] = '\0';
  return text_take(&words);
}

char *program_extent(const struct program_kernel *kernel, const char *key, const char *times) {
  const json_t *extent = json_object_get(kernel->first, key);
  struct text words = {0};
  size_t count = json_array_size(extent);
  if (json_integer_value(json_array_get(extent, 0)) == 0) return xstrdup("-");
  while (count > 1 && json_integer_value(json_array_get(extent, count - 1)) == 1) count--;
  for (size_t i = 0; i < count; i++)
    text_add(&words, "%s%lld", i ? times : "",
             (long long)json_integer_value(json_array_get(extent, i)));
  return text_take(&words);
}

char *program_time(const struct program_kernel *kernel) {
  double ns = kernel->time_ns;
  if (!kernel->timed) return xstrdup("-");
  if (ns >= 1e9) return xprintf("%.3g s", ns * 1e-9);
  if (ns >= 1e6) return xprintf("%.3g ms", ns * 1e-6);
  if (ns >= 1e3) return xprintf("%.3g us", ns * 1e-3);
  return xprintf("%.0f ns", ns);
}
