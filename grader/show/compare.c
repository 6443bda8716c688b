/* compare.c: the cases that a lab shows, side by side. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/show/card.h"

/* The rows, of those that any column has a value for. */
static const struct {
  const char *label, *metric;
  double factor;
} rows[] = {
    {"wavefronts per shared load", "shared_load_wavefronts_per_inst", 1},
    {"wavefronts per shared store", "shared_store_wavefronts_per_inst", 1},
    {"sectors per global load", "global_load_sectors_per_request", 1},
    {"sectors per global store", "global_store_sectors_per_request", 1},
    {"time, us", "time_ns", 1e-3},
};
enum { ROWS = sizeof rows / sizeof *rows, LABEL = 30, COLUMN = 19 };

struct column {
  const char *name;
  const struct case_result *run;
};

/* The shown cases, named by the functions they call if these differ. */
static int find_columns(const struct grade *grade, struct column *columns) {
  const struct conf *conf = &grade->lab->conf;
  int count = 0;
  bool by_entry = true;
  for (int i = 0; i < conf->case_count; i++) {
    const struct case_conf *entry = &conf->cases[i];
    if (!entry->show) continue;
    const char *name = entry->entry    ? entry->entry
                       : conf->entries ? conf->entries[0]
                                       : conf->family->problem->name;
    for (int j = 0; j < count; j++) by_entry = by_entry && strcmp(columns[j].name, name) != 0;
    columns[count++] = (struct column){name, &grade->cases[i]};
  }
  int at = 0;
  for (int i = 0; i < conf->case_count && !by_entry; i++)
    if (conf->cases[i].show) columns[at++].name = conf->cases[i].name;
  return count;
}

static double value_at(const struct column *column, int row) {
  if (column->run->state != CASE_RIGHT) return NAN;
  return rows[row].factor * metric_value(metric_find(rows[row].metric), &column->run->totals);
}

static void print_row(const struct screen *screen, const struct column *columns, int count,
                      int row) {
  bool any = false;
  for (int i = 0; i < count; i++) any = any || !isnan(value_at(&columns[i], row));
  if (!any) return;
  screen_print(screen, PLAIN, "  %-*s", LABEL - 2, rows[row].label);
  for (int i = 0; i < count; i++) {
    double value = value_at(&columns[i], row);
    if (isnan(value))
      screen_print(screen, DIM, "%*s", COLUMN, "-");
    else
      screen_print(screen, PLAIN, "%*.1f", COLUMN, value);
  }
  screen_newline(screen);
}

/* How many times as fast the last column is as the first. */
static void print_speedup(const struct screen *screen, const struct column *columns, int count) {
  double first = value_at(&columns[0], ROWS - 1), last = value_at(&columns[count - 1], ROWS - 1);
  if (isnan(first) || isnan(last) || last <= 0) return;
  autofree char *line =
      xprintf("%s is %.2f times as fast as %s (%s).", columns[count - 1].name, first / last,
              columns[0].name, case_longest_launch(columns[0].run)->time_kind);
  screen_wrap(screen, BOLD, 2, "  ", line);
}

void compare_print(const struct screen *screen, const struct grade *grade) {
  struct column columns[MAX_SHOWN];
  int count = find_columns(grade, columns), launched = 0;
  for (int i = 0; i < count; i++) launched += columns[i].run->report.launch_count > 0;
  if (count < 2 || launched == 0) return;
  screen_print(screen, PLAIN, "%*s", LABEL, "");
  for (int i = 0; i < count; i++) screen_print(screen, BOLD, "%*s", COLUMN, columns[i].name);
  screen_newline(screen);
  for (int row = 0; row < ROWS; row++) print_row(screen, columns, count, row);
  screen_print(screen, PLAIN, "  %-*s", LABEL - 2, "bound by");
  for (int i = 0; i < count; i++) {
    const struct launch_record *longest = case_longest_launch(columns[i].run);
    bool right = columns[i].run->state == CASE_RIGHT && longest;
    screen_print(screen, right ? PLAIN : DIM, "%*s", COLUMN, right ? longest->bound : "not right");
  }
  screen_newline(screen);
  print_speedup(screen, columns, count);
  screen_rule(screen);
}
