/* series.c: builds a file once and runs the cases of its lab's [series] with all values. */
#include "grader/run/series.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/screen.h"
#include "grader/lab/dims.h"
#include "grader/run/run.h"

struct job {
  const struct lab *lab;
  struct runner runner;
  uint64_t seed;
};

static void refuse(struct series_list *list, char *why) {
  list->refused = true;
  list->error = why;
}

static void build(const struct kit *kit, const struct lab *lab, const struct source *source,
                  const char *path, struct series_list *list) {
  freed_by(text_free) struct text output = {0};
  progress_show("building", lab->id, 0, 0);
  enum build_end end = build_runner(kit,
                                    &(struct build){.backend = "sim",
                                                    .lab = lab,
                                                    .source = source->path,
                                                    .own_folder = source->own_folder,
                                                    .runner = path},
                                    &output);
  if (end == BUILD_OK) return;
  int line = 0;
  autofree char *words = build_first_error(text_get(&output), &line);
  autofree char *place = line ? xprintf("line %d: ", line) : xstrdup("");
  list->error = xprintf("it does not compile: %s%s", place, words);
  list->refused = end == BUILD_REFUSED;
}

/* Returns what a failure means for the rest. */
static enum case_stop measure(const struct job *job, const struct case_conf *entry,
                              struct series *series, struct series_point *point, char **error) {
  struct conf conf = job->lab->conf;
  struct case_conf only = *entry;
  conf.cases = &only;
  conf.case_count = 1;
  struct case_result run;
  run_case(&job->runner, &conf, 0, job->seed, &run);
  point->totals = run.totals;
  point->totals.traffic = NULL;
  point->totals.traffic_count = 0;
  if (run.state != CASE_RIGHT)
    point->reason = xstrdup(run.reason);
  else if (!run.totals.launches)
    point->reason = xstrdup("the result is right, but no kernel was launched");
  if (run.state == CASE_ERROR) *error = xstrdup(run.reason);
  series->right_count += !point->reason;
  const struct launch_record *longest = case_longest_launch(&run);
  if (longest) series->modelled = strcmp(longest->time_kind, "modelled") == 0;
  if (!series->device && run.report.device) series->device = xstrdup(run.report.device);
  enum case_stop stop = run.stop;
  case_free(&run);
  return stop;
}

static void measure_points(const struct job *job, struct series *series, struct series_list *list) {
  const struct series_conf *conf = series->conf;
  struct case_conf entry = job->lab->conf.cases[conf_case(&job->lab->conf, conf->case_name)];
  const struct problem *problem = conf_family(&job->lab->conf, &entry)->problem;
  int which = dims_find(problem, conf->dimension), count = series_conf_count(conf);
  series->points = xcalloc((size_t)count, sizeof *series->points);
  for (int i = 0; i < count && !list->error; i++) {
    struct series_point *point = &series->points[series->point_count++];
    point->value = entry.dims[which] = series_conf_value(conf, i);
    entry.sets = 1;
    autofree char *name = xprintf("%s=%ld", conf->dimension, point->value);
    progress_show(conf->name, name, i + 1, count);
    if (measure(job, &entry, series, point, &list->error) == STOP_ALL && !list->error)
      refuse(list, xprintf("with %s: %s", name, point->reason));
  }
}

/* Is there nothing to show? */
static void check_right(struct series_list *list) {
  int right = 0;
  for (int i = 0; i < list->count; i++) right += list->items[i].right_count;
  const struct series *first = &list->items[0];
  if (!right)
    refuse(list, xprintf("case %s is not right with any %s, so there is nothing to compare: %s",
                         first->conf->case_name, first->conf->dimension, first->points[0].reason));
}

int series_measure(const struct kit *kit, const struct lab *lab, const struct source *source,
                   uint64_t seed, const char *work, struct series_list *list) {
  autofree char *path = xprintf("%s/runner", work);
  struct job job = {
      lab, {.path = path, .device = kit->device, .directory = work, .times = true}, seed};
  *list = (struct series_list){.count = lab->conf.series_count};
  list->items = xcalloc((size_t)list->count, sizeof *list->items);
  build(kit, lab, source, path, list);
  for (int i = 0; i < list->count && !list->error; i++) {
    list->items[i] = (struct series){.lab = lab, .conf = &lab->conf.series[i], .modelled = true};
    measure_points(&job, &list->items[i], list);
  }
  if (!list->error) check_right(list);
  progress_show(NULL, NULL, 0, 0);
  return list->error ? -1 : 0;
}

void series_free(struct series_list *list) {
  for (int i = 0; i < list->count; i++) {
    struct series *series = &list->items[i];
    for (int k = 0; k < series->point_count; k++) free(series->points[k].reason);
    free_all(series->points, series->device);
  }
  free_all(list->items, list->error);
}

double series_bandwidth(const struct series_point *point) {
  const struct totals *totals = &point->totals;
  return (totals->textbook_load_bytes + totals->textbook_store_bytes) / (double)totals->time_ns;
}
