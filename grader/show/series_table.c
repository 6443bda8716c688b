/* series_table.c: a series over a dimension as a table, JSON and a chart. */
#include "grader/show/show.h"

#include <math.h>
#include <stdlib.h>

#include "grader/show/chart.h"

static double metric_of(const struct series_point *point, const char *name) {
  return metric_value(metric_find(name), &point->totals);
}

static const struct metric *shown_metric(const struct series *series) {
  const char *name = series->conf->metric;
  return metric_find(name ? name : "global_load_sectors_per_request");
}

/* Is it about loads, as those without a metric of their own are? */
static bool is_of_loads(const struct series *series) { return !series->conf->metric; }

char *series_title(const struct series *series) {
  const struct series_conf *conf = series->conf;
  return conf->title
             ? xprintf("%s: %s", series->lab->id, conf->title)
             : xprintf("%s: case %s over %s", series->lab->id, conf->case_name, conf->dimension);
}

/* --- for people --- */

static void print_number(const struct screen *screen, double value) {
  if (isnan(value))
    screen_print(screen, PLAIN, "%14s", "-");
  else
    screen_print(screen, PLAIN, "%14.1f", value);
}

static void print_point(const struct screen *screen, const struct series *series,
                        const struct series_point *point) {
  screen_print(screen, PLAIN, "  %10ld", point->value);
  if (point->reason) {
    screen_line(screen, RED, "%14s", "wrong");
    return;
  }
  print_number(screen, metric_value(shown_metric(series), &point->totals));
  if (is_of_loads(series)) print_number(screen, metric_of(point, "global_load_efficiency"));
  screen_line(screen, PLAIN, "%14.2f%14.0f", (double)point->totals.time_ns / 1000,
              series_bandwidth(point));
}

/* Of the values that are wrong, the first one's. */
static void print_reason(const struct screen *screen, const struct series *series) {
  const struct series_point *point = series->points;
  while (!point->reason) point++;
  autofree char *words = xprintf("%d of %d values are wrong, the first at %s=%ld: %s",
                                 series->point_count - series->right_count, series->point_count,
                                 series->conf->dimension, point->value, point->reason);
  screen_wrap(screen, BOLD, 2, "", words);
}

void series_print(const struct screen *screen, const struct series *series) {
  autofree char *title = series_title(series);
  screen_line(screen, BOLD, "%s", title);
  screen_line(screen, DIM, "  case %s, %s: %s", series->conf->case_name,
              series->modelled ? "modelled" : "measured", series->device ? series->device : "?");
  screen_rule(screen);
  if (series->right_count && is_of_loads(series))
    screen_line(screen, DIM, "  %10s%14s%14s%14s%14s", series->conf->dimension, "sectors/load",
                "% used", "time us", "GB/s");
  if (series->right_count && !is_of_loads(series))
    screen_line(screen, DIM, "  %10s%14s%14s%14s", series->conf->dimension, "*", "time us", "GB/s");
  for (int i = 0; i < series->point_count && series->right_count; i++)
    print_point(screen, series, &series->points[i]);
  if (series->right_count && !is_of_loads(series)) {
    const struct metric *metric = shown_metric(series);
    autofree char *words = xprintf("* %s: %s", metric->unit, metric->sentence);
    screen_wrap(screen, DIM, 2, "", words);
  }
  if (series->right_count < series->point_count) print_reason(screen, series);
  screen_rule(screen);
}

/* --- for programs --- */

static json_t *point_to_json(const struct series *series, const struct series_point *point) {
  const uint64_t *value = point->totals.counters.value;
  json_t *json =
      json_pack("{s:I, s:s, s:I, s:I, s:I, s:I, s:o?, s:o?, s:I, s:o?, s:s?}", "value",
                (json_int_t)point->value, "state", point->reason ? "wrong" : "right",
                "load_requests", (json_int_t)value[COUNTER_global_load_requests], "load_sectors",
                (json_int_t)value[COUNTER_global_load_sectors], "store_requests",
                (json_int_t)value[COUNTER_global_store_requests], "store_sectors",
                (json_int_t)value[COUNTER_global_store_sectors], "load_sectors_per_request",
                json_real(metric_of(point, "global_load_sectors_per_request")), "load_efficiency",
                json_real(metric_of(point, "global_load_efficiency")), "time_ns",
                (json_int_t)point->totals.time_ns, "gb_per_s", json_real(series_bandwidth(point)),
                "reason", point->reason);
  if (!is_of_loads(series))
    json_object_set_new(json, series->conf->metric,
                        json_real(metric_value(shown_metric(series), &point->totals)));
  return json;
}

json_t *series_to_json(const struct series *series) {
  autofree char *title = series_title(series);
  json_t *points = json_array();
  for (int i = 0; i < series->point_count; i++)
    json_array_append_new(points, point_to_json(series, &series->points[i]));
  return json_pack("{s:s, s:s, s:s, s:s, s:s?, s:s, s:o}", "name", series->conf->name, "title",
                   title, "case", series->conf->case_name, "dimension", series->conf->dimension,
                   "device", series->device, "time_kind",
                   series->modelled ? "modelled" : "measured", "points", points);
}

/* --- chart --- */

void series_chart_table(const struct series *series, struct text *table) {
  text_add(table,
           "# %s\tload_requests\tload_sectors\tstore_requests\tstore_sectors\ttime_ns\t"
           "bytes\tmetric\n",
           series->conf->dimension);
  for (int i = 0; i < series->point_count; i++) {
    const struct totals *totals = &series->points[i].totals;
    const uint64_t *value = totals->counters.value;
    if (series->points[i].reason) continue;
    text_add(table, "%ld\t%lu\t%lu\t%lu\t%lu\t%lu\t%.0f\t%.4g\n", series->points[i].value,
             value[COUNTER_global_load_requests], value[COUNTER_global_load_sectors],
             value[COUNTER_global_store_requests], value[COUNTER_global_store_sectors],
             totals->time_ns, totals->textbook_load_bytes + totals->textbook_store_bytes,
             metric_value(shown_metric(series), totals));
  }
}

void series_charts(const struct series *series, chart_taker *take, void *context) {
  if (!series->right_count) return;
  freed_by(text_free) struct text table = {0};
  series_chart_table(series, &table);
  autofree char *name = xprintf("%s-series-%s", series->lab->id, series->conf->name),
                *title = series_title(series),
                *source = xprintf("%s, %s", series->device ? series->device : "?",
                                  series->modelled ? "modelled time" : "measured time");
  struct chart chart = {
      .name = "series",
      .data = text_get(&table),
      .title = title,
      .source = source,
      .more = {series->conf->dimension, "", is_of_loads(series) ? "" : shown_metric(series)->unit}};
  take(&chart, name, context);
}
