/* sweep.c: builds a file with every block shape and runs each.
 *
 * All shapes are built at once, the file as often in one program (harness/compile --variant): its
 * standard headers, which take most of the time, are then read once. A file that cannot be
 * repeated so is built anew for each shape. */
#include "grader/run/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/run/run.h"

struct job {
  const struct kit *kit;
  const char *backend, *work;
  const struct source *source;
  uint64_t seed;
  sweep_progress *progress;
  int case_index;
  char *path; /* the runner's */
};

static void add_shape(struct sweep *sweep, long x, long y) {
  *array_add(sweep->shapes, sweep->shape_count) = (struct shape){.extent = {x, y}};
}

static void list_shapes(struct sweep *sweep) {
  const struct sweep_conf *conf = &sweep->lab->conf.sweep;
  for (int i = 0; i < conf->value_count; i++)
    for (int j = 0; j < conf->value_count; j++)
      if (conf->values[i] * conf->values[j] <= conf->max_threads)
        add_shape(sweep, conf->values[i], conf->values[j]);
}

static char *macros(const struct sweep *sweep, const struct shape *shape) {
  char *const *names = sweep->lab->conf.sweep.parameters;
  return xprintf("%s=%ld %s=%ld", names[0], shape->extent[0], names[1], shape->extent[1]);
}

static int refuse(struct sweep *sweep, char *why) {
  sweep->refused = true;
  sweep->error = why;
  return -1;
}

static int blame_kit(struct sweep *sweep, char *why) {
  sweep->error = why;
  return -1;
}

/* --- building --- */

static enum build_end build(const struct job *job, const struct sweep *sweep,
                            const char *const *variants, int count, struct text *output) {
  return build_runner(job->kit,
                      &(struct build){.backend = job->backend,
                                      .lab = sweep->lab,
                                      .source = job->source->path,
                                      .own_folder = job->source->own_folder,
                                      .runner = job->path,
                                      .variants = variants,
                                      .variant_count = count},
                      output);
}

/* The file as it is: what is wrong then is wrong without a sweep, too. */
static int build_own(const struct job *job, struct sweep *sweep) {
  freed_by(text_free) struct text output = {0};
  enum build_end end = build(job, sweep, NULL, 0, &output);
  int line, result = 0;
  if (end != BUILD_OK) {
    autofree char *words = build_first_error(text_get(&output), &line);
    char *why = line ? xprintf("it does not compile: line %d: %s", line, words)
                     : xprintf("it does not compile: %s", words);
    result = end == BUILD_REFUSED ? refuse(sweep, why) : blame_kit(sweep, why);
  }
  return result;
}

/* All shapes in one program; false if the file does not compile so. */
static bool build_all(const struct job *job, const struct sweep *sweep) {
  freed_by(text_free) struct text output = {0};
  autofree char **variants = xcalloc((size_t)sweep->shape_count, sizeof *variants);
  for (int i = 0; i < sweep->shape_count; i++) variants[i] = macros(sweep, &sweep->shapes[i]);
  bool built =
      build(job, sweep, (const char *const *)variants, sweep->shape_count, &output) == BUILD_OK;
  for (int i = 0; i < sweep->shape_count; i++) free(variants[i]);
  return built;
}

static bool build_one(const struct job *job, const struct sweep *sweep, const struct shape *shape,
                      char **why) {
  freed_by(text_free) struct text output = {0};
  autofree char *variant = macros(sweep, shape);
  bool built = build(job, sweep, (const char *const[]){variant}, 1, &output) == BUILD_OK;
  int line;
  if (!built) *why = build_first_error(text_get(&output), &line);
  return built;
}

/* --- running --- */

/* Runs the function named `entry` (NULL: the case's). Returns what a failure means for the rest. */
static enum case_stop measure(const struct job *job, struct sweep *sweep, const char *entry,
                              struct shape *shape) {
  struct runner runner = {.path = job->path,
                          .device = strcmp(job->backend, "sim") == 0 ? job->kit->device : NULL,
                          .directory = job->work,
                          .entry = entry};
  struct case_result run;
  run_case(&runner, &sweep->lab->conf, job->case_index, job->seed, &run);
  shape->state = run.state == CASE_RIGHT ? SHAPE_RIGHT : SHAPE_WRONG;
  if (run.reason) shape->reason = xstrdup(run.reason);
  shape->totals = run.totals;
  shape->load_sectors =
      metric_value(metric_find("global_load_sectors_per_request"), &shape->totals);
  shape->store_sectors =
      metric_value(metric_find("global_store_sectors_per_request"), &shape->totals);
  const struct launch_record *longest = case_longest_launch(&run);
  if (longest) memcpy(shape->launched, longest->block, sizeof shape->launched);
  shape->bound = xstrdup(longest ? longest->bound : "");
  if (longest) sweep->modelled = strcmp(longest->time_kind, "modelled") == 0;
  if (!sweep->device && run.report.device) sweep->device = xstrdup(run.report.device);
  enum case_stop stop = run.stop;
  if (run.state == CASE_ERROR) blame_kit(sweep, xstrdup(run.reason));
  case_free(&run);
  return stop;
}

static void check_shape(struct shape *shape) {
  if (shape->state != SHAPE_RIGHT) return;
  if ((long)shape->launched[0] != shape->extent[0] || (long)shape->launched[1] != shape->extent[1])
    shape->state = SHAPE_IGNORED;
}

static int measure_shapes(struct job *job, struct sweep *sweep) {
  job->progress("building all shapes of", sweep->lab->id, 0, 0);
  bool together = build_all(job, sweep);
  for (int i = 0; i < sweep->shape_count; i++) {
    struct shape *shape = &sweep->shapes[i];
    autofree char *name = xprintf("%ld x %ld", shape->extent[0], shape->extent[1]), *why = NULL;
    autofree char *entry = together ? xprintf("%d", i) : xstrdup("0");
    job->progress("shape", name, i + 1, sweep->shape_count);
    bool built = together || build_one(job, sweep, shape, &why);
    enum case_stop stop = built ? measure(job, sweep, entry, shape) : STOP_NOTHING;
    if (!built && i == 0) {
      const struct sweep_conf *conf = &sweep->lab->conf.sweep;
      refuse(sweep, xprintf("with another value for %s it does not compile: %s",
                            conf->parameters[0], why));
    } else if (!built) {
      shape->state = SHAPE_WRONG;
      shape->reason = xprintf("it does not compile: %s", why);
    } else if (stop == STOP_ALL && !sweep->error) {
      refuse(sweep, xprintf("with a block of %s: %s", name, shape->reason));
    }
    check_shape(shape);
    if (sweep->error) return -1;
  }
  return 0;
}

/* --- the whole --- */

static void find_best(struct sweep *sweep) {
  sweep->best = sweep->own_index = -1;
  for (int i = 0; i < sweep->shape_count; i++) {
    const struct shape *shape = &sweep->shapes[i];
    bool own = (long)sweep->own.launched[0] == shape->extent[0] &&
               (long)sweep->own.launched[1] == shape->extent[1] && sweep->own.launched[2] == 1;
    if (own) sweep->own_index = i;
    if (shape->state != SHAPE_RIGHT) continue;
    if (sweep->best < 0 || shape->totals.time_ns < sweep->shapes[sweep->best].totals.time_ns)
      sweep->best = i;
  }
}

/* Has the file gone its own way in every shape but its own? */
static bool ignored(const struct sweep *sweep) {
  bool any = false;
  for (int i = 0; i < sweep->shape_count; i++) {
    if (i == sweep->own_index) continue;
    if (sweep->shapes[i].state == SHAPE_RIGHT) return false;
    any = any || sweep->shapes[i].state == SHAPE_IGNORED;
  }
  return any;
}

int sweep_measure(const struct kit *kit, const struct lab *lab, const char *backend,
                  const struct source *source, uint64_t seed, const char *work,
                  sweep_progress *progress, struct sweep *sweep) {
  const struct sweep_conf *conf = &lab->conf.sweep;
  struct job job = {kit, backend, work, source, seed, progress, 0, xprintf("%s/runner", work)};
  job.case_index = conf_case(&lab->conf, conf->case_name);
  *sweep = (struct sweep){.lab = lab, .case_name = conf->case_name, .best = -1, .own_index = -1};
  list_shapes(sweep);
  progress("building", lab->id, 0, 0);
  int result = build_own(&job, sweep);
  if (result == 0) {
    measure(&job, sweep, NULL, &sweep->own);
    if (sweep->error)
      result = -1;
    else if (sweep->own.state != SHAPE_RIGHT)
      result = refuse(sweep, xprintf("case %s is not right, so there is nothing to compare: %s",
                                     conf->case_name, sweep->own.reason));
  }
  if (result == 0) result = measure_shapes(&job, sweep);
  if (result == 0) find_best(sweep);
  if (result == 0 && ignored(sweep))
    result = refuse(sweep, xprintf("it does not take its block shape from %s and %s: whatever they "
                                   "are, it launches %lu x %lu",
                                   conf->parameters[0], conf->parameters[1], sweep->own.launched[0],
                                   sweep->own.launched[1]));
  if (result == 0 && sweep->best < 0)
    result = refuse(sweep, xprintf("no shape gives the right result: %s",
                                   sweep->shapes[0].reason ? sweep->shapes[0].reason : ""));
  progress(NULL, NULL, 0, 0);
  free(job.path);
  return result;
}

static void free_shape(struct shape *shape) { free_all(shape->reason, shape->bound); }

void sweep_free(struct sweep *sweep) {
  for (int i = 0; i < sweep->shape_count; i++) free_shape(&sweep->shapes[i]);
  free_shape(&sweep->own);
  free_all(sweep->shapes, sweep->device, sweep->error);
}
