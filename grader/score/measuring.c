/* measuring.c: see measuring.h. */
#include "measuring.h"

#include <stdlib.h>
#include <string.h>

#include "build.h"
#include "progress.h"

static const double seconds_a_case = 4; /* at most, to bring the ratio's interval inside 1% */

/* A case on the device; what it finds wrong replaces the simulator's verdict. */
static void run_there(const struct runner *runner, struct grade *grade, int index) {
  struct case_result *here = &grade->cases[index], there;
  if (here->state != CASE_RIGHT) return;
  run_case(runner, &grade->lab->conf, index, grade->seed, &there);
  if (there.state == CASE_ERROR && !there.claimed) {
    grade->error =
        xprintf("case %s on the GPU: %s", grade->lab->conf.cases[index].name, there.reason);
  } else if (there.state != CASE_RIGHT) {
    here->state = CASE_WRONG;
    here->kind = there.kind ? there.kind : "wrong";
    here->stop = there.stop;
    here->reason = xprintf("on the GPU (not on the simulator): %s", there.reason);
  }
  if (there.report.device) {
    free(grade->device);
    grade->device = xstrdup(there.report.device);
  }
  case_free(&there);
}

static bool needs_time(const struct conf *conf, int index) {
  for (int i = 0; i < conf->item_count; i++) {
    const struct item_conf *item = &conf->items[i];
    if (item->class == ITEM_PERFORMANCE && strcmp(item->case_name, conf->cases[index].name) == 0)
      return true;
  }
  return false;
}

/* Times a case; outputs that are not the reference's make it wrong. */
static void time_there(const struct kit *kit, const struct runner *runner, struct grade *grade,
                       int index) {
  const struct conf *conf = &grade->lab->conf;
  struct case_result *run = &grade->cases[index];
  struct timing *timing = &grade->timings[index];
  char *baseline = NULL;
  if (conf->baseline) {
    struct lab lab;
    lab_open(kit, conf->baseline, &lab);
    baseline = xstrdup(lab.conf.entry_count ? lab.conf.entries[0] : lab.conf.problem->name);
    lab_free(&lab);
  }
  stopwatch_run(runner, conf, index, baseline, seconds_a_case, timing);
  free(baseline);
  double worst = timing->measured ? timing->timed[0].worst : 0;
  if (timing->error && !timing->blame_program) {
    grade->error = xprintf("timing case %s: %s", conf->cases[index].name, timing->error);
  } else if (timing->error || worst > conf->problem->tolerance(conf->cases[index].dims)) {
    run->state = CASE_WRONG;
    run->kind = "wrong";
    run->reason = timing->error
                      ? xprintf("while it was timed: %s", timing->error)
                      : xprintf(
                            "a timed call gave a wrong result, off by %.3g: every call must do "
                            "the whole work, and have done it when the device is idle",
                            worst);
    timing->measured = false;
  }
}

bool measuring_run(const struct kit *kit, const struct grading_options *options,
                   struct grade *grade, struct text *messages) {
  const struct conf *conf = &grade->lab->conf;
  char *path = xprintf("%s/gpu-runner", options->work), *inside = xprintf("%s/run", options->work);
  progress_show("building for the GPU", grade->source->name, 0, 0);
  enum build_end end = build_runner(kit,
                                    &(struct build){.backend = "gpu",
                                                    .lab = grade->lab->id,
                                                    .source = grade->source->path,
                                                    .runner = path,
                                                    .reference = grade->lab->id,
                                                    .baseline = conf->baseline},
                                    messages);
  if (end == BUILD_FAILED)
    grade->error = xprintf("building for the GPU failed: %.*s",
                           (int)strcspn(text_get(messages), "\n"), text_get(messages));
  struct runner runner = {.path = path, .directory = inside, .on_gpu = true};
  grade->timings = xcalloc((size_t)conf->case_count, sizeof *grade->timings);
  for (int i = 0; i < conf->case_count && end == BUILD_OK && !grade->error; i++) {
    progress_show("on the GPU, case", conf->cases[i].name, i + 1, conf->case_count);
    run_there(&runner, grade, i);
  }
  for (int i = 0; i < conf->case_count && end == BUILD_OK && !grade->error; i++) {
    if (grade->cases[i].state != CASE_RIGHT || !needs_time(conf, i)) continue;
    progress_show("timing case", conf->cases[i].name, 0, 0);
    time_there(kit, &runner, grade, i);
  }
  free(path);
  free(inside);
  return end != BUILD_REFUSED;
}
