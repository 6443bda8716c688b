/* sizes_table.c: times over sizes as tables, JSON, CSV and charts. */
#include "grader/show/show.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/file.h"
#include "grader/base/output.h"
#include "grader/show/chart.h"
#include "grader/show/json.h"

enum { NAME_COLUMNS = 30, VALUE_COLUMNS = 10 }; /* of the terminal */

/* --- words --- */

char *sizes_time_words(double ns) {
  return ns < 999.5e3   ? xprintf("%.3g us", ns / 1e3)
         : ns < 999.5e6 ? xprintf("%.3g ms", ns / 1e6)
                        : xprintf("%.3g s", ns / 1e9);
}

/* "0.68", "34.7", "4612" */
static char *ratio_in_words(double ratio) {
  return isnan(ratio)    ? xstrdup("-")
         : ratio < 9.995 ? xprintf("%.2f", ratio)
         : ratio < 99.95 ? xprintf("%.1f", ratio)
                         : xprintf("%.0f", ratio);
}

static const char *kind_of(const struct size_line *line) {
  return line->measured ? "measured" : "modelled";
}

static const struct case_conf *case_of(const struct sizes *sizes) {
  return &sizes->lab->conf.cases[sizes->case_index];
}

static const char *function_of(const struct sizes *sizes) {
  return conf_function(&sizes->lab->conf, case_of(sizes));
}

static const struct problem *problem_of(const struct sizes *sizes) {
  return conf_family(&sizes->lab->conf, case_of(sizes))->problem;
}

/* --- on the terminal --- */

/* A value of a line at a size: words, the caller's. */
typedef char *cell(const struct sizes *sizes, int line, int i, enum colour *colour);

static char *time_cell(const struct sizes *sizes, int line, int i, enum colour *colour) {
  const struct size_point *point = &sizes->lines[line].points[i];
  if (point->state == POINT_WRONG) *colour = RED;
  return point->state == POINT_RIGHT   ? sizes_time_words(point->ns)
         : point->state == POINT_WRONG ? xstrdup("wrong")
                                       : xstrdup("-");
}

static char *deviation_cell(const struct sizes *sizes, int line, int i, enum colour *colour) {
  const struct size_point *point = &sizes->lines[line].points[i];
  (void)colour;
  bool known = point->state == POINT_RIGHT && point->deviation_ns >= 0;
  return known ? xprintf("%.1f%%", 100 * point->deviation_ns / point->ns) : xstrdup("-");
}

/* Of the first line, the file's. */
static char *speedup_cell(const struct sizes *sizes, int line, int i, enum colour *colour) {
  double speedup = sizes_speedup(sizes, 0, line, i, NULL);
  if (line == sizes->over) *colour = BOLD;
  return ratio_in_words(speedup);
}

static bool all_lines(const struct size_line *line) { return line != NULL; }
static bool measured_lines(const struct size_line *line) { return line->measured; }
static bool other_lines(const struct size_line *line) { return line->role != LINE_OWN; }

/* Lines down, sizes across; as many tables as it takes. */
static void print_table(const struct screen *screen, const struct sizes *sizes, const char *title,
                        bool (*wanted)(const struct size_line *), cell *value) {
  const int room = (screen->width - NAME_COLUMNS) / VALUE_COLUMNS;
  for (int first = 0; first < sizes->count; first += room) {
    int last = first + room < sizes->count ? first + room : sizes->count;
    screen_print(screen, DIM, "  %-*s", NAME_COLUMNS - 2, title);
    for (int i = first; i < last; i++) {
      autofree char *head = xprintf(i == first ? "n = %ld" : "%ld", sizes->values[i]);
      screen_print(screen, DIM, "%*s", VALUE_COLUMNS, head);
    }
    screen_newline(screen);
    for (int l = 0; l < sizes->line_count; l++) {
      const struct size_line *line = &sizes->lines[l];
      if (!wanted(line)) continue;
      autofree char *name =
          xprintf("%.*s", (int)screen_cut(line->name, NAME_COLUMNS - 2), line->name);
      int pad = NAME_COLUMNS - 2 - screen_columns(name);
      screen_print(screen, line->role == LINE_OWN ? BOLD : PLAIN, "  %s%*s", name, pad, "");
      for (int i = first; i < last; i++) {
        enum colour colour = line->role == LINE_OWN ? BOLD : PLAIN;
        autofree char *words = value(sizes, l, i, &colour);
        screen_print(screen, colour, "%*s", VALUE_COLUMNS, words);
      }
      screen_newline(screen);
    }
  }
}

/* What times are, and of what. */
static void print_kinds(const struct screen *screen, const struct sizes *sizes) {
  autofree char *on_gpu = xprintf("mean of %d runs", sizes->times),
                *words = xprintf("%s. %s.",
                                 sizes->on_gpu ? on_gpu
                                               : "modelled, the same each time: there is no "
                                                 "deviation",
                                 problem_of(sizes)->on_host
                                     ? "A call with the copies that it makes"
                                     : "A call with its arrays on the GPU: copying them there is "
                                       "not in it");
  screen_wrap(screen, DIM, 4, "  GPU: ", words);
  if (!sizes->cpu) return;
  autofree char *on_cpu = xprintf(
      "measured by the wall clock, the median of runs in about a second, with half the "
      "distance from percentile 16 to 84 as deviation: %s.",
      sizes->cpu);
  screen_wrap(screen, DIM, 4, "  CPU: ", on_cpu);
}

static bool same_reason(const struct size_point *a, const struct size_point *b) {
  return a->reason && b->reason && strcmp(a->reason, b->reason) == 0;
}

/* Each reason once, with all its sizes: "n = 33, 64: ...". Those of the CPU are notes. */
static void print_reasons(const struct screen *screen, const struct sizes *sizes) {
  const struct size_point *points = sizes->lines[0].points;
  for (int i = 0; i < sizes->count; i++) {
    bool known = !points[i].reason;
    for (int k = 0; k < i; k++) known = known || same_reason(&points[i], &points[k]);
    if (known) continue;
    freed_by(text_free) struct text label = {0};
    text_add(&label, "  n = %ld", sizes->values[i]);
    for (int k = i + 1; k < sizes->count; k++)
      if (same_reason(&points[i], &points[k])) text_add(&label, ", %ld", sizes->values[k]);
    text_add(&label, ": ");
    screen_wrap(screen, points[i].state == POINT_WRONG ? RED : PLAIN, 4, text_get(&label),
                points[i].reason);
  }
  for (int i = 0; i < sizes->note_count; i++)
    screen_wrap(screen, PLAIN, 4, "  Note: ", sizes->notes[i]);
}

void sizes_print(const struct screen *screen, const struct sizes *sizes) {
  autofree char *dims = sizes_dims_words(&sizes->lab->conf, sizes->case_index);
  screen_line(screen, BOLD, "%s  %s over %s, %s: %s", sizes->lab->id, function_of(sizes), dims,
              sizes->on_gpu ? "measured" : "modelled", sizes->device ? sizes->device : "?");
  screen_rule(screen);
  print_table(screen, sizes, "time", all_lines, time_cell);
  bool any_measured = false;
  for (int l = 0; l < sizes->line_count; l++) any_measured |= sizes->lines[l].measured;
  if (any_measured)
    print_table(screen, sizes, "standard deviation", measured_lines, deviation_cell);
  bool any_right = false;
  for (int i = 0; i < sizes->count; i++)
    any_right = any_right || sizes->lines[0].points[i].state == POINT_RIGHT;
  if (sizes->line_count > 1 && any_right) {
    screen_rule(screen);
    print_table(screen, sizes, "times as fast as", other_lines, speedup_cell);
  }
  screen_rule(screen);
  print_kinds(screen, sizes);
  print_reasons(screen, sizes);
  if (sizes->over < 0)
    screen_wrap(screen, PLAIN, 4,
                "  Note: ", "no chart of the speedup: there is no time to compare with");
}

/* --- for programs --- */

static json_t *number_or_null(double value) {
  return isnan(value) ? json_null() : json_real(value);
}

static json_t *point_to_json(const struct sizes *sizes, int line, int i) {
  const struct conf *conf = &sizes->lab->conf;
  const struct size_point *point = &sizes->lines[line].points[i];
  bool right = point->state == POINT_RIGHT;
  long dims[PROBLEM_MAX_DIMS] = {0};
  sizes_dims(conf, sizes->case_index, sizes->values[i], dims);
  double speedup = sizes->over < 0 ? NAN : sizes_speedup(sizes, line, sizes->over, i, NULL);
  return json_pack("{s:I, s:o, s:s, s:o, s:o, s:i, s:o, s:s?}", "n", (json_int_t)sizes->values[i],
                   "dims", dims_to_json(problem_of(sizes), dims), "state",
                   point_state_names[point->state], "time_ns",
                   number_or_null(right ? point->ns : NAN), "deviation_ns",
                   number_or_null(right ? point->deviation_ns : NAN), "runs", point->runs,
                   "speedup", number_or_null(speedup), "reason", point->reason);
}

void sizes_write_json(const struct sizes *sizes, const char *path) {
  json_t *lines = json_array(), *values = json_array(), *notes = json_array();
  for (int i = 0; i < sizes->count; i++)
    json_array_append_new(values, json_integer(sizes->values[i]));
  for (int i = 0; i < sizes->note_count; i++)
    json_array_append_new(notes, json_string(sizes->notes[i]));
  for (int l = 0; l < sizes->line_count; l++) {
    const struct size_line *line = &sizes->lines[l];
    json_t *points = json_array();
    for (int i = 0; i < sizes->count; i++)
      json_array_append_new(points, point_to_json(sizes, l, i));
    json_array_append_new(
        lines, json_pack("{s:s, s:s, s:s, s:o}", "id", line->id, "name", line->name, "time_kind",
                         kind_of(line), "points", points));
  }
  json_t *json = json_pack(
      "{s:i, s:s, s:s, s:s?, s:I, s:s, s:s, s:s?, s:s?, s:o, s:o, s:o}", "schema", 1, "lab",
      sizes->lab->id, "backend", sizes->on_gpu ? "gpu" : "sim", "device", sizes->device, "seed",
      (json_int_t)sizes->seed, "case", case_of(sizes)->name, "function", function_of(sizes), "cpu",
      sizes->cpu, "over", sizes->over < 0 ? NULL : sizes->lines[sizes->over].id, "sizes", values,
      "lines", lines, "notes", notes);
  json_write(json, path, JSON_REAL_PRECISION(6));
}

/* A field of RFC 4180: in quotes, those within doubled. */
static void add_field(struct text *csv, const char *words) {
  text_add(csv, "\"");
  for (const char *at = words; *at; at++) {
    if (*at == '"') text_append(csv, at, 1);
    text_append(csv, at, 1);
  }
  text_add(csv, "\",");
}

static void add_number(struct text *csv, double value) {
  if (!isnan(value)) text_add(csv, "%.6g", value);
  text_add(csv, ",");
}

void sizes_write_csv(const struct sizes *sizes, const char *path) {
  const struct conf *conf = &sizes->lab->conf;
  const struct problem *problem = problem_of(sizes);
  freed_by(text_free) struct text csv = {0};
  text_add(&csv, "line,name,time_kind,n,");
  for (int d = 0; d < problem->dim_count; d++) text_add(&csv, "%s,", problem->dims[d]);
  text_add(&csv, "state,time_ns,deviation_ns,runs,over,speedup\n");
  for (int l = 0; l < sizes->line_count; l++) {
    const struct size_line *line = &sizes->lines[l];
    for (int i = 0; i < sizes->count; i++) {
      const struct size_point *point = &line->points[i];
      bool right = point->state == POINT_RIGHT;
      long dims[PROBLEM_MAX_DIMS] = {0};
      sizes_dims(conf, sizes->case_index, sizes->values[i], dims);
      text_add(&csv, "%s,", line->id);
      add_field(&csv, line->name);
      text_add(&csv, "%s,%ld,", kind_of(line), sizes->values[i]);
      for (int d = 0; d < problem->dim_count; d++) text_add(&csv, "%ld,", dims[d]);
      text_add(&csv, "%s,", point_state_names[point->state]);
      add_number(&csv, right ? point->ns : NAN);
      add_number(&csv, right ? point->deviation_ns : NAN);
      text_add(&csv, "%d,%s,", point->runs, sizes->over < 0 ? "" : sizes->lines[sizes->over].id);
      double speedup = sizes->over < 0 ? NAN : sizes_speedup(sizes, l, sizes->over, i, NULL);
      if (!isnan(speedup)) text_add(&csv, "%.6g", speedup);
      text_add(&csv, "\n");
    }
  }
  output_write("--csv", path, csv.data, csv.length);
}

/* --- charts --- */

/* The heading of a block of a chart's table: what stands in the key. */
static void add_heading(struct text *table, const struct size_line *line) {
  size_t from = table->length + (table->length ? 2 : 0);
  text_add(table, table->length ? "\n\n" : "");
  text_add_printable(table, line->name, strlen(line->name), true);
  for (size_t i = from; i < table->length; i++)
    if (table->data[i] == '"') table->data[i] = '\'';
  text_add(table, " (%s)\n", kind_of(line));
}

/* The blocks of plots/size_time.gp, or, with over, of size_speedup.gp; roles: a word for each. */
static void add_blocks(const struct sizes *sizes, int over, struct text *table,
                       struct text *roles) {
  int cpus = 0;
  for (int l = 0; l < sizes->line_count; l++) {
    const struct size_line *line = &sizes->lines[l];
    freed_by(text_free) struct text rows = {0};
    if (line->role == LINE_CPU) cpus++;
    if (over >= 0 && (l == over || line->role == LINE_CPU)) continue;
    for (int i = 0; i < sizes->count; i++) {
      const struct size_point *point = &line->points[i];
      double value = point->ns, spread = point->deviation_ns;
      if (over >= 0) value = sizes_speedup(sizes, l, over, i, &spread);
      if (point->state != POINT_RIGHT || isnan(value)) continue;
      text_add(&rows, "%ld\t%.6g\t%.6g\n", sizes->values[i], value, spread > 0 ? spread : 0);
    }
    if (!rows.length) continue;
    add_heading(table, line);
    text_add(table, "%s", text_get(&rows));
    text_add(roles, "%s", roles->length ? " " : "");
    if (line->role == LINE_CPU)
      text_add(roles, "cpu%d", cpus);
    else
      text_add(roles, "%s",
               line->role == LINE_OWN     ? "own"
               : line->role == LINE_MODEL ? "model"
                                          : "baseline");
  }
}

static void make_chart(const struct sizes *sizes, int over, const char *title, chart_taker *take,
                       void *context) {
  freed_by(text_free) struct text table = {0}, roles = {0};
  autofree char *dims = sizes_dims_words(&sizes->lab->conf, sizes->case_index),
                *axis = xprintf("n (%s)", dims),
                *source = xprintf("GPU: %s, %s%s%s%s", sizes->device ? sizes->device : "?",
                                  sizes->on_gpu ? "measured between CUDA events" : "modelled",
                                  sizes->cpu ? "\nCPU: " : "", sizes->cpu ? sizes->cpu : "",
                                  sizes->cpu ? ", measured" : ""),
                *name = xprintf("%s-sizes-%s", sizes->lab->id, over < 0 ? "time" : "speedup");
  add_blocks(sizes, over, &table, &roles);
  if (!table.length) return;
  struct chart chart = {.name = over < 0 ? "size_time" : "size_speedup",
                        .data = text_get(&table),
                        .title = title,
                        .source = source,
                        .more = {axis, text_get(&roles)}};
  if (over >= 0) chart.more[2] = sizes->lines[over].name;
  take(&chart, name, context);
}

void sizes_charts(const struct sizes *sizes, chart_taker *take, void *context) {
  autofree char *time = xprintf("%s: time of %s over the size", sizes->lab->id, function_of(sizes));
  make_chart(sizes, -1, time, take, context);
  if (sizes->over < 0) return;
  autofree char *speedup = xprintf("%s: speedup of %s over %s", sizes->lab->id, function_of(sizes),
                                   sizes->lines[sizes->over].name);
  make_chart(sizes, sizes->over, speedup, take, context);
}
