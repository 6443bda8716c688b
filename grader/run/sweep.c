/* sweep.c: builds a file with every block shape and runs each.
 *
 * All shapes are built at once, the file as often in one program (harness/compile --variant): its
 * standard headers, which take most of the time, are then read once. A file that cannot be repeated
 * so is built anew for each shape. */
#include "grader/run/sweep.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/screen.h"
#include "grader/run/run.h"

struct job {
  const struct kit *kit;
  const char *work;
  const struct source *source;
  uint64_t seed;
  int case_index;
  const char *path; /* the runner's */
};

static void list_shapes(struct sweep *sweep) {
  const struct sweep_conf *conf = &sweep->lab->conf.sweep;
  for (int i = 0; i < conf->value_count; i++)
    for (int j = 0; j < conf->value_count; j++)
      if (conf->values[i] * conf->values[j] <= conf->max_threads)
        *array_add(sweep->shapes, sweep->shape_count) =
            (struct shape){.extent = {conf->values[i], conf->values[j]}};
}

static char *macros(const struct sweep *sweep, const struct shape *shape) {
  char *const *names = sweep->lab->conf.sweep.parameters;
  return xprintf("%s=%ld %s=%ld", names[0], shape->extent[0], names[1], shape->extent[1]);
}

static void refuse(struct sweep *sweep, char *why) {
  sweep->refused = true;
  sweep->error = why;
}

/* --- building --- */

/* Shapes `first` to first + count - 1 in one program; count 0: the file as it is. *why: why not,
 * the caller's, with the line in front if it is known. */
static enum build_end build(const struct job *job, const struct sweep *sweep, int first, int count,
                            char **why) {
  freed_by(text_free) struct text output = {0};
  autofree char **variants = xcalloc((size_t)count, sizeof *variants);
  for (int i = 0; i < count; i++) variants[i] = macros(sweep, &sweep->shapes[first + i]);
  enum build_end end = build_runner(job->kit,
                                    &(struct build){.backend = "sim",
                                                    .lab = sweep->lab,
                                                    .source = job->source->path,
                                                    .own_folder = job->source->own_folder,
                                                    .runner = job->path,
                                                    .variants = (const char *const *)variants,
                                                    .variant_count = count},
                                    &output);
  int line = 0;
  autofree char *words = end == BUILD_OK ? NULL : build_first_error(text_get(&output), &line);
  if (words) *why = line && !count ? xprintf("line %d: %s", line, words) : xstrdup(words);
  for (int i = 0; i < count; i++) free(variants[i]);
  return end;
}

/* The file as it is: what is wrong then is wrong without a sweep, too. */
static void build_own(const struct job *job, struct sweep *sweep) {
  autofree char *why = NULL;
  enum build_end end = build(job, sweep, 0, 0, &why);
  if (end != BUILD_OK) sweep->error = xprintf("it does not compile: %s", why);
  sweep->refused = end == BUILD_REFUSED;
}

/* --- running --- */

/* Runs the function named `entry` (NULL: the case's). Returns what a failure means for the rest. */
static enum case_stop measure(const struct job *job, struct sweep *sweep, const char *entry,
                              struct shape *shape) {
  struct runner runner = {
      .path = job->path, .device = job->kit->device, .directory = job->work, .entry = entry};
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
  if (run.state == CASE_ERROR) sweep->error = xstrdup(run.reason);
  case_free(&run);
  return stop;
}

static void measure_shapes(struct job *job, struct sweep *sweep) {
  progress_show("building all shapes of", sweep->lab->id, 0, 0);
  autofree char *why_not_together = NULL;
  bool together = build(job, sweep, 0, sweep->shape_count, &why_not_together) == BUILD_OK;
  for (int i = 0; i < sweep->shape_count && !sweep->error; i++) {
    struct shape *shape = &sweep->shapes[i];
    autofree char *name = xprintf("%ld x %ld", shape->extent[0], shape->extent[1]), *why = NULL,
                  *entry = xprintf("%d", together ? i : 0);
    progress_show("shape", name, i + 1, sweep->shape_count);
    bool built = together || build(job, sweep, i, 1, &why) == BUILD_OK;
    enum case_stop stop = built ? measure(job, sweep, entry, shape) : STOP_NOTHING;
    if (!built && i == 0) {
      refuse(sweep, xprintf("with another value for %s it does not compile: %s",
                            sweep->lab->conf.sweep.parameters[0], why));
    } else if (!built) {
      shape->state = SHAPE_WRONG;
      shape->reason = xprintf("it does not compile: %s", why);
    } else if (stop == STOP_ALL && !sweep->error) {
      refuse(sweep, xprintf("with a block of %s: %s", name, shape->reason));
    }
    if (shape->state == SHAPE_RIGHT && ((long)shape->launched[0] != shape->extent[0] ||
                                        (long)shape->launched[1] != shape->extent[1]))
      shape->state = SHAPE_IGNORED;
  }
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

int sweep_measure(const struct kit *kit, const struct lab *lab, const struct source *source,
                  uint64_t seed, const char *work, struct sweep *sweep) {
  const struct sweep_conf *conf = &lab->conf.sweep;
  autofree char *path = xprintf("%s/runner", work);
  struct job job = {kit, work, source, seed, conf_case(&lab->conf, conf->case_name), path};
  *sweep = (struct sweep){.lab = lab, .case_name = conf->case_name, .best = -1, .own_index = -1};
  list_shapes(sweep);
  progress_show("building", lab->id, 0, 0);
  build_own(&job, sweep);
  if (!sweep->error) measure(&job, sweep, NULL, &sweep->own);
  if (!sweep->error && sweep->own.state != SHAPE_RIGHT)
    refuse(sweep, xprintf("case %s is not right, so there is nothing to compare: %s",
                          conf->case_name, sweep->own.reason));
  if (!sweep->error) measure_shapes(&job, sweep);
  if (!sweep->error) find_best(sweep);
  if (!sweep->error && ignored(sweep))
    refuse(sweep, xprintf("it does not take its block shape from %s and %s: whatever they are, it "
                          "launches %lu x %lu",
                          conf->parameters[0], conf->parameters[1], sweep->own.launched[0],
                          sweep->own.launched[1]));
  if (!sweep->error && sweep->best < 0)
    refuse(sweep, xprintf("no shape gives the right result: %s",
                          sweep->shapes[0].reason ? sweep->shapes[0].reason : ""));
  progress_show(NULL, NULL, 0, 0);
  return sweep->error ? -1 : 0;
}

static void free_shape(struct shape *shape) { free_all(shape->reason, shape->bound); }

void sweep_free(struct sweep *sweep) {
  for (int i = 0; i < sweep->shape_count; i++) free_shape(&sweep->shapes[i]);
  free_shape(&sweep->own);
  free_all(sweep->shapes, sweep->device, sweep->error);
}
