/* program_summary.c: see program_summary.h. */
#include "grader/show/program_summary.h"

#include <string.h>

#include "grader/base/text.h"
#include "grader/lab/metric.h"
#include "grader/show/program_found.h"

/* ---- hazards ---- */

/* "a.cu:12 and b.h:3"; "" if no line is known. The caller's. */
static char *place_of(const json_t *hazard) {
  struct text place = {0};
  const char *file = program_text(hazard, "file"), *other = program_text(hazard, "other_file");
  int line = (int)program_number(hazard, "line"),
      other_line = (int)program_number(hazard, "other_line");
  if (line) text_add(&place, "%s:%d", *file ? file : "?", line);
  if (line && other_line && strcmp(file, other) != 0)
    text_add(&place, " and %s:%d", *other ? other : "?", other_line);
  else if (line && other_line && other_line != line)
    text_add(&place, " and %d", other_line);
  return text_take(&place);
}

static void print_hazard(const struct screen *screen, const json_t *hazard) {
  bool warning = json_is_true(json_object_get(hazard, "warning"));
  const char *kernel = program_text(hazard, "kernel");
  double count = program_number(hazard, "count");
  autofree char *place = place_of(hazard);
  screen_print(screen, BOLD, "%s%s", place, *place ? ": " : "");
  screen_print(screen, warning ? YELLOW : RED, "%s%s", warning ? "warning: " : "",
               hazard_kind_title(program_text(hazard, "kind")));
  if (*kernel) screen_print(screen, PLAIN, " in %s", kernel);
  if (count > 1)
    screen_print(screen, DIM, ", %.0f times%s", count,
                 json_is_true(json_object_get(hazard, "more")) ? " or more" : "");
  screen_newline(screen);
  screen_wrap(screen, PLAIN, 4, "    ", program_text(hazard, "message"));
}

/* ---- launches ---- */

static void print_kernels(const struct screen *screen, const struct program_found *found) {
  enum { MOST = 12 };
  screen_line(screen, BOLD, "%-24s %-16s %-12s %8s %10s  %s", "Kernel", "grid", "block", "launches",
              "modelled", "bound by");
  for (int i = 0; i < found->kernel_count && i < MOST; i++) {
    const struct program_kernel *kernel = &found->kernels[i];
    autofree char *grid = program_extent(kernel, "grid", " x ");
    autofree char *block = program_extent(kernel, "block", " x ");
    autofree char *time = program_time(kernel);
    screen_line(screen, PLAIN, "%-24.24s %-16s %-12s %8.0f %10s  %s", kernel->name, grid, block,
                kernel->launches, time, kernel->bound);
  }
  if (found->kernel_count > MOST)
    screen_line(screen, DIM, "and %d others", found->kernel_count - MOST);
}

static void print_line(const struct screen *screen, const struct program_line *line) {
  autofree char *words = program_line_words(line);
  if (!*words) return;
  autofree char *label = xprintf("%s:%d  ", *line->file ? line->file : "line", line->line);
  screen_wrap(screen, PLAIN, 4, label, words);
}

static void print_lines(const struct screen *screen, const struct program_found *found, bool all) {
  enum { MOST = 5 };
  if (!found->line_count || (!all && program_line_waste(&found->lines[0]) <= 0)) return;
  screen_newline(screen);
  screen_line(
      screen, BOLD,
      all ? "Lines that access memory" : "Lines that move most for nothing (--explain shows all)");
  for (int i = 0; i < found->line_count && (all || i < MOST); i++)
    if (all || program_line_waste(&found->lines[i]) > 0) print_line(screen, &found->lines[i]);
}

int program_summary(const struct screen *screen, const json_t *report,
                    const struct program_summary_options *options) {
  const json_t *hazards = json_object_get(report, "hazards"), *json;
  int faults = 0;
  size_t i;
  json_array_foreach (hazards, i, json) {
    faults += !json_is_true(json_object_get(json, "warning"));
    print_hazard(screen, json);
  }
  if (options->only_faults) return faults;
  freed_by(program_found_free) struct program_found found;
  program_found_read(report, &found);
  if (!found.kernel_count) return faults;
  screen_rule(screen);
  print_kernels(screen, &found);
  print_lines(screen, &found, options->lines);
  screen_line(screen, DIM, "%s; times are modelled", program_text(report, "device"));
  return faults;
}
