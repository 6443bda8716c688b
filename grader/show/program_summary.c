/* program_summary.c: see program_summary.h. */
#include "grader/show/program_summary.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "grader/lab/metric.h"

static const char *text_at(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

static double number_at(const json_t *object, const char *key) {
  return json_number_value(json_object_get(object, key));
}

static double counter_at(const json_t *object, const char *name) {
  return number_at(json_object_get(object, "counters"), name);
}

/* ---- hazards ---- */

/* "a.cu:12 and b.h:3"; "" if no line is known. The caller's. */
static char *place_of(const json_t *hazard) {
  struct text place = {0};
  const char *file = text_at(hazard, "file"), *other = text_at(hazard, "other_file");
  int line = (int)number_at(hazard, "line"), other_line = (int)number_at(hazard, "other_line");
  if (line) text_add(&place, "%s:%d", *file ? file : "?", line);
  if (line && other_line && strcmp(file, other) != 0)
    text_add(&place, " and %s:%d", *other ? other : "?", other_line);
  else if (line && other_line && other_line != line)
    text_add(&place, " and %d", other_line);
  return text_take(&place);
}

static void print_hazard(const struct screen *screen, const json_t *hazard) {
  bool warning = json_is_true(json_object_get(hazard, "warning"));
  const char *kernel = text_at(hazard, "kernel");
  double count = number_at(hazard, "count");
  autofree char *place = place_of(hazard);
  screen_print(screen, BOLD, "%s%s", place, *place ? ": " : "");
  screen_print(screen, warning ? YELLOW : RED, "%s%s", warning ? "warning: " : "",
               hazard_kind_title(text_at(hazard, "kind")));
  if (*kernel) screen_print(screen, PLAIN, " in %s", kernel);
  if (count > 1)
    screen_print(screen, DIM, ", %.0f times%s", count,
                 json_is_true(json_object_get(hazard, "more")) ? " or more" : "");
  screen_newline(screen);
  screen_wrap(screen, PLAIN, 4, "    ", text_at(hazard, "message"));
}

/* ---- launches ---- */

struct row { /* launches of one kernel and shape */
  const json_t *first;
  double launches, time_ns;
  bool timed;
};

struct line { /* of a source file, over all launches */
  const char *file;
  int number;
  double load_requests, load_sectors, load_used, store_requests, store_sectors, store_used,
      shared_inst, wavefronts, ideal;
};

struct found {
  struct row *rows;
  struct line *lines;
  int row_count, line_count;
};

static bool same_shape(const json_t *a, const json_t *b) {
  static const char *const keys[] = {"kernel", "grid", "block"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (!json_equal(json_object_get(a, keys[i]), json_object_get(b, keys[i]))) return false;
  return true;
}

static struct row *row_of(struct found *found, const json_t *launch) {
  for (int i = 0; i < found->row_count; i++)
    if (same_shape(found->rows[i].first, launch)) return &found->rows[i];
  struct row *row = array_add(found->rows, found->row_count);
  row->first = launch;
  row->timed = true;
  return row;
}

static struct line *line_of(struct found *found, const char *file, int number) {
  for (int i = 0; i < found->line_count; i++)
    if (found->lines[i].number == number && strcmp(found->lines[i].file, file) == 0)
      return &found->lines[i];
  struct line *line = array_add(found->lines, found->line_count);
  *line = (struct line){.file = file, .number = number};
  return line;
}

static void add_launch(struct found *found, const json_t *launch) {
  const json_t *several = json_object_get(launch, "launches"), *json;
  struct row *row = row_of(found, launch);
  row->launches += several ? json_number_value(several) : 1;
  row->time_ns += number_at(launch, "time_ns");
  row->timed = row->timed && json_is_number(json_object_get(launch, "time_ns"));
  size_t i;
  json_array_foreach (json_object_get(launch, "lines"), i, json) {
    struct line *line = line_of(found, text_at(json, "file"), (int)number_at(json, "line"));
    line->load_requests += counter_at(json, "global_load_requests");
    line->load_sectors += counter_at(json, "global_load_sectors");
    line->load_used += counter_at(json, "global_load_used_bytes");
    line->store_requests += counter_at(json, "global_store_requests");
    line->store_sectors += counter_at(json, "global_store_sectors");
    line->store_used += counter_at(json, "global_store_used_bytes");
    line->shared_inst +=
        counter_at(json, "shared_load_inst") + counter_at(json, "shared_store_inst");
    line->wavefronts +=
        counter_at(json, "shared_load_wavefronts") + counter_at(json, "shared_store_wavefronts");
    line->ideal += counter_at(json, "shared_load_ideal") + counter_at(json, "shared_store_ideal");
  }
}

static char *time_in_words(double ns) {
  if (ns >= 1e9) return xprintf("%.3g s", ns * 1e-9);
  if (ns >= 1e6) return xprintf("%.3g ms", ns * 1e-6);
  if (ns >= 1e3) return xprintf("%.3g us", ns * 1e-3);
  return xprintf("%.0f ns", ns);
}

/* "32 x 16"; extents of 1 at the end are left out. "-": a library's kernel. The caller's. */
static char *extent_in_words(const json_t *extent) {
  struct text words = {0};
  size_t count = json_array_size(extent);
  if (json_integer_value(json_array_get(extent, 0)) == 0) return xstrdup("-");
  while (count > 1 && json_integer_value(json_array_get(extent, count - 1)) == 1) count--;
  for (size_t i = 0; i < count; i++)
    text_add(&words, "%s%lld", i ? " x " : "",
             (long long)json_integer_value(json_array_get(extent, i)));
  return text_take(&words);
}

static int by_time(const void *a, const void *b) {
  const struct row *x = a, *y = b;
  return (x->time_ns < y->time_ns) - (x->time_ns > y->time_ns);
}

static void print_rows(const struct screen *screen, struct found *found) {
  enum { MOST = 12 };
  array_sort(found->rows, found->row_count, by_time);
  screen_line(screen, BOLD, "%-24s %-16s %-12s %8s %10s  %s", "Kernel", "grid", "block", "launches",
              "modelled", "bound by");
  for (int i = 0; i < found->row_count && i < MOST; i++) {
    const struct row *row = &found->rows[i];
    autofree char *grid = extent_in_words(json_object_get(row->first, "grid"));
    autofree char *block = extent_in_words(json_object_get(row->first, "block"));
    autofree char *time = row->timed ? time_in_words(row->time_ns) : xstrdup("-");
    screen_line(screen, PLAIN, "%-24.24s %-16s %-12s %8.0f %10s  %s", text_at(row->first, "kernel"),
                grid, block, row->launches, time, text_at(row->first, "bound"));
  }
  if (found->row_count > MOST) screen_line(screen, DIM, "and %d others", found->row_count - MOST);
}

/* What a line moves for nothing, in sectors: a wavefront more than needed counts as one, too. */
static double waste_of(const struct line *line) {
  double loads = line->load_sectors - line->load_used / 32,
         stores = line->store_sectors - line->store_used / 32;
  return (loads > 0 ? loads : 0) + (stores > 0 ? stores : 0) +
         (line->wavefronts > line->ideal ? line->wavefronts - line->ideal : 0);
}

static int by_waste(const void *a, const void *b) {
  double x = waste_of(a), y = waste_of(b);
  return (x < y) - (x > y);
}

static void print_line(const struct screen *screen, const struct line *line) {
  struct text words = {0};
  if (line->load_requests > 0)
    text_add(&words, "loads: %.3g sectors per request, %.0f%% of their bytes are used; ",
             line->load_sectors / line->load_requests,
             100 * line->load_used / (32 * line->load_sectors));
  if (line->store_requests > 0)
    text_add(&words, "stores: %.3g sectors per request, %.0f%% of their bytes are written; ",
             line->store_sectors / line->store_requests,
             100 * line->store_used / (32 * line->store_sectors));
  if (line->shared_inst > 0)
    text_add(&words, "shared memory: %.3g wavefronts where %.3g would do; ", line->wavefronts,
             line->ideal);
  if (words.length < 2) return;
  words.data[words.length - 2] = '\0';
  autofree char *label = xprintf("%s:%d  ", *line->file ? line->file : "line", line->number);
  screen_wrap(screen, PLAIN, 4, label, words.data);
  text_free(&words);
}

static void print_lines(const struct screen *screen, struct found *found, bool all) {
  enum { MOST = 5 };
  array_sort(found->lines, found->line_count, by_waste);
  if (!found->line_count || (!all && waste_of(&found->lines[0]) <= 0)) return;
  screen_newline(screen);
  screen_line(
      screen, BOLD,
      all ? "Lines that access memory" : "Lines that move most for nothing (--explain shows all)");
  for (int i = 0; i < found->line_count && (all || i < MOST); i++)
    if (all || waste_of(&found->lines[i]) > 0) print_line(screen, &found->lines[i]);
}

int program_summary(const struct screen *screen, const json_t *report,
                    const struct program_summary_options *options) {
  struct found found = {0};
  const json_t *hazards = json_object_get(report, "hazards"), *json;
  int faults = 0;
  size_t i;
  json_array_foreach (hazards, i, json) {
    faults += !json_is_true(json_object_get(json, "warning"));
    print_hazard(screen, json);
  }
  if (options->only_faults) return faults;
  json_array_foreach (json_object_get(report, "launches"), i, json) add_launch(&found, json);
  if (!found.row_count) return faults;
  screen_rule(screen);
  print_rows(screen, &found);
  print_lines(screen, &found, options->lines);
  autofree char *device = xstrdup(text_at(report, "device"));
  screen_line(screen, DIM, "%s; times are modelled", device);
  free_all(found.rows, found.lines);
  return faults;
}
