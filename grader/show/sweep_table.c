/* sweep_table.c: a sweep over block shapes as a table, JSON and a heat map. */
#include "grader/show/show.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/show/chart.h"

enum { BEST_SHOWN = 5 };
static const double near_best = 1.1, far_from_best = 3; /* times the best's time */

static double time_of(const struct shape *shape) { return (double)shape->totals.time_ns; }

static double best_time(const struct sweep *sweep) { return time_of(&sweep->shapes[sweep->best]); }

static enum colour colour_of(const struct sweep *sweep, const struct shape *shape) {
  double ratio = time_of(shape) / best_time(sweep);
  return ratio <= near_best ? GREEN : ratio >= far_from_best ? RED : PLAIN;
}

static const struct shape *find(const struct sweep *sweep, long x, long y, int *index) {
  for (int i = 0; i < sweep->shape_count; i++) {
    *index = i;
    if (sweep->shapes[i].extent[0] == x && sweep->shapes[i].extent[1] == y)
      return &sweep->shapes[i];
  }
  return NULL;
}

/* "6.6" us in at most 5 columns. */
static const char *short_time(double ns, char *text, size_t size) {
  double us = ns / 1000;
  snprintf(text, size, us < 99.95 ? "%.1f" : "%.0f", us);
  return text;
}

static void print_grid(const struct screen *screen, const struct sweep *sweep) {
  const struct sweep_conf *conf = &sweep->lab->conf.sweep;
  char text[32];
  screen_line(screen, DIM, "  time in us: %s down, %s across", conf->parameters[1],
              conf->parameters[0]);
  screen_print(screen, DIM, "%6s", "");
  for (int i = 0; i < conf->value_count; i++) screen_print(screen, DIM, "%6ld", conf->values[i]);
  screen_newline(screen);
  for (int j = 0; j < conf->value_count; j++) {
    screen_print(screen, DIM, "%6ld", conf->values[j]);
    for (int i = 0; i < conf->value_count; i++) {
      int index;
      const struct shape *shape = find(sweep, conf->values[i], conf->values[j], &index);
      if (!shape) {
        screen_print(screen, PLAIN, "%6s", "");
      } else if (shape->state != SHAPE_RIGHT) {
        screen_print(screen, DIM, " %5s", shape->state == SHAPE_WRONG ? "wrong" : "-");
      } else {
        char mark = index == sweep->best ? '*' : index == sweep->own_index ? '<' : ' ';
        screen_print(screen, colour_of(sweep, shape), "%5s%c",
                     short_time(time_of(shape), text, sizeof text), mark);
      }
    }
    screen_newline(screen);
  }
}

static void print_number(const struct screen *screen, double value, int width) {
  if (isnan(value))
    screen_print(screen, PLAIN, "%*s", width, "-");
  else
    screen_print(screen, PLAIN, "%*.1f", width, value);
}

static void print_shape(const struct screen *screen, const struct sweep *sweep, int index) {
  const struct shape *shape = &sweep->shapes[index];
  char text[32];
  snprintf(text, sizeof text, "%ld x %ld", shape->extent[0], shape->extent[1]);
  screen_print(screen, PLAIN, "  %-12s %8ld", text, shape->extent[0] * shape->extent[1]);
  if (shape->state != SHAPE_RIGHT) {
    screen_line(screen, DIM, "   %s", shape->state == SHAPE_WRONG ? "wrong" : "not used");
    return;
  }
  print_number(screen, shape->load_sectors, 14);
  print_number(screen, shape->store_sectors, 15);
  screen_print(screen, colour_of(sweep, shape), " %9s",
               short_time(time_of(shape), text, sizeof text));
  screen_print(screen, PLAIN, " %8.2f", time_of(shape) / best_time(sweep));
  screen_line(screen, BOLD, "%s%s", index == sweep->best ? "  best" : "",
              index == sweep->own_index ? "  yours" : "");
}

static const struct sweep *sorted; /* of by_time, which qsort gives no context */

static int by_time(const void *a, const void *b) {
  const struct shape *x = &sorted->shapes[*(const int *)a], *y = &sorted->shapes[*(const int *)b];
  if (x->state != y->state) return (int)x->state - (int)y->state;
  if (x->totals.time_ns != y->totals.time_ns) return x->totals.time_ns < y->totals.time_ns ? -1 : 1;
  return *(const int *)a - *(const int *)b;
}

static void print_list(const struct screen *screen, const struct sweep *sweep, bool explain) {
  autofree int *order = xcalloc((size_t)sweep->shape_count, sizeof *order);
  for (int i = 0; i < sweep->shape_count; i++) order[i] = i;
  sorted = sweep;
  qsort(order, (size_t)sweep->shape_count, sizeof *order, by_time);
  screen_line(screen, DIM,
              "  block         threads  sectors/load  sectors/store   time us  of best");
  for (int i = 0; i < sweep->shape_count; i++)
    if (explain || i < BEST_SHOWN || order[i] == sweep->own_index)
      print_shape(screen, sweep, order[i]);
}

static void print_verdict(const struct screen *screen, const struct sweep *sweep) {
  const struct shape *best = &sweep->shapes[sweep->best], *own = &sweep->own;
  char yours[32], *line;
  snprintf(yours, sizeof yours, "%lu x %lu", own->launched[0], own->launched[1]);
  double ratio = time_of(own) / best_time(sweep);
  if (ratio <= 1)
    line = xprintf("Yours, %s, is the best.", yours);
  else if (ratio <= near_best)
    line = xprintf("Yours, %s, is within %.0f%% of the best, %ld x %ld.", yours,
                   ceil((ratio - 1) * 100), best->extent[0], best->extent[1]);
  else
    line = xprintf(
        "Yours, %s, takes %.2f times the time of the best, %ld x %ld. A store of its warps moves "
        "%.1f sectors, a load %.1f; of the best's %.1f and %.1f.",
        yours, ratio, best->extent[0], best->extent[1], own->store_sectors, own->load_sectors,
        best->store_sectors, best->load_sectors);
  screen_wrap(screen, BOLD, 2, "", line);
  free(line);
}

void sweep_print(const struct screen *screen, const struct sweep *sweep, bool explain) {
  screen_line(screen, BOLD, "%s  block shapes in case %s, %s: %s", sweep->lab->id, sweep->case_name,
              sweep->modelled ? "modelled" : "measured", sweep->device ? sweep->device : "?");
  screen_rule(screen);
  print_grid(screen, sweep);
  screen_line(
      screen, DIM, "  *: best   <: yours%s",
      screen->colour ? "   green: within 10% of the best   red: 3 times its time or more" : "");
  screen_rule(screen);
  print_list(screen, sweep, explain);
  screen_rule(screen);
  print_verdict(screen, sweep);
}

/* --- for programs --- */

static json_t *shape_to_json(const struct shape *shape) {
  static const char *const states[] = {"right", "wrong", "ignored"};
  return json_pack("{s:[I,I], s:s, s:o?, s:o?, s:I, s:s, s:s?}", "extent",
                   (json_int_t)shape->extent[0], (json_int_t)shape->extent[1], "state",
                   states[shape->state], "load_sectors_per_request", json_real(shape->load_sectors),
                   "store_sectors_per_request", json_real(shape->store_sectors), "time_ns",
                   (json_int_t)shape->totals.time_ns, "bound", shape->bound ? shape->bound : "",
                   "reason", shape->reason);
}

json_t *sweep_to_json(const struct sweep *sweep) {
  const struct shape *best = &sweep->shapes[sweep->best], *own = &sweep->own;
  char *const *parameters = sweep->lab->conf.sweep.parameters;
  json_t *shapes = json_array();
  for (int i = 0; i < sweep->shape_count; i++)
    json_array_append_new(shapes, shape_to_json(&sweep->shapes[i]));
  return json_pack("{s:s?, s:s, s:[s,s], s:s, s:[I,I], s:[I,I], s:o}", "device", sweep->device,
                   "case", sweep->case_name, "parameters", parameters[0], parameters[1],
                   "time_kind", sweep->modelled ? "modelled" : "measured", "own",
                   (json_int_t)own->launched[0], (json_int_t)own->launched[1], "best",
                   (json_int_t)best->extent[0], (json_int_t)best->extent[1], "shapes", shapes);
}

void sweep_chart_table(const struct sweep *sweep, struct text *table) {
  text_add(table,
           "# block_x\tblock_y\tload_sectors_per_request\tstore_sectors_per_request\ttime_ns\n");
  for (int i = 0; i < sweep->shape_count; i++) {
    const struct shape *shape = &sweep->shapes[i];
    if (shape->state != SHAPE_RIGHT) continue;
    text_add(table, "%ld\t%ld\t%g\t%g\t%lu\n", shape->extent[0], shape->extent[1],
             shape->load_sectors, shape->store_sectors, shape->totals.time_ns);
  }
}

void sweep_charts(const struct sweep *sweep, chart_taker *take, void *context) {
  freed_by(text_free) struct text table = {0};
  sweep_chart_table(sweep, &table);
  autofree char *title = xprintf("%s: time over block shapes, case %s", sweep->lab->id,
                                 sweep->case_name),
                *source = xprintf("%s, %s", sweep->device ? sweep->device : "?",
                                  sweep->modelled ? "modelled time" : "measured time"),
                *x = xprintf("%lu", sweep->own.launched[0]),
                *y = xprintf("%lu", sweep->own.launched[1]),
                *name = xprintf("%s-sweep", sweep->lab->id);
  struct chart chart = {
      .name = "sweep", .data = text_get(&table), .title = title, .source = source, .more = {x, y}};
  take(&chart, name, context);
}
