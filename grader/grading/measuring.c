/* measuring.c: the part of a grading that runs and times on a real GPU. */
#include "grader/grading/grading.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/screen.h"

static const double seconds_a_case = 4; /* at most, to bring the ratio's interval inside 1% */

bool measuring_is_machines(const struct case_result *there) {
  static const char *const errors[] = {"cudaErrorNoDevice",
                                       "cudaErrorInsufficientDriver",
                                       "cudaErrorInitializationError",
                                       "cudaErrorDevicesUnavailable",
                                       "cudaErrorSystemNotReady",
                                       "cudaErrorSystemDriverMismatch",
                                       "cudaErrorCompatNotSupportedOnDevice"};
  const char *error = there->report.set_count ? there->report.sets[0].error : NULL;
  for (size_t i = 0; i < sizeof errors / sizeof *errors && error; i++)
    if (strcmp(error, errors[i]) == 0) return true;
  return false;
}

/* What a case found on the device replaces the simulator's verdict if it is not right. */
static void take_there(struct grade *grade, int index, struct case_result *there) {
  struct case_result *here = &grade->cases[index];
  const char *name = grade->lab->conf.cases[index].name;
  if (measuring_is_machines(there) || (there->state == CASE_ERROR && !there->claimed)) {
    if (!grade->error) grade->error = xprintf("case %s on the GPU: %s", name, there->reason);
  } else if (there->state == CASE_NOT_RUN) {
    here->state = CASE_NOT_RUN;
    here->reason = xprintf("on the GPU (not on the simulator): %s", there->reason);
  } else if (there->state != CASE_RIGHT) {
    here->state = CASE_WRONG;
    here->kind = there->kind ? there->kind : "wrong";
    here->stop = there->stop;
    here->reason = xprintf("on the GPU (not on the simulator): %s", there->reason);
  }
  if (there->report.device) {
    free(grade->device);
    grade->device = xstrdup(there->report.device);
  }
}

/* One process for all cases that go well, but for those in which a call is made to fail, which a
 * GPU does not: CUDA takes most of half a second to start in each. */
static void run_there(const struct runner *runner, struct grade *grade) {
  const struct conf *conf = &grade->lab->conf;
  autofree struct case_result *there = xcalloc((size_t)conf->case_count, sizeof *there);
  int *list = xcalloc((size_t)conf->case_count, sizeof *list), count = 0;
  autofree bool *run = xcalloc((size_t)conf->case_count, sizeof *run);
  for (int i = 0; i < conf->case_count; i++) {
    run[i] = grade->cases[i].state == CASE_RIGHT && !conf->cases[i].fail;
    if (run[i]) list[count++] = i;
  }
  while (count > 0) {
    int judged = run_some(runner, conf, list, count, grade->seed, there);
    count = cases_left(conf, list, count, judged, there);
  }
  for (int i = 0; i < conf->case_count; i++) {
    if (!run[i]) continue;
    take_there(grade, i, &there[i]);
    case_free(&there[i]);
  }
  free(list);
}

/* The spans and their trace move into the result of the case. */
static void take_timeline(struct case_result *here, struct case_result *there) {
  const struct report *report = &there->report;
  json_t *trace = report->set_count ? report->sets[0].timeline : NULL;
  const char *error = json_string_value(json_object_get(trace, "error"));
  if (there->spans.end > there->spans.begin) {
    here->measured = there->spans;
    here->measured_trace = json_incref(trace);
    there->spans = (struct spans){0};
  } else {
    here->not_recorded = error           ? xstrdup(error)
                         : there->reason ? xprintf("while it was recorded: %s", there->reason)
                                         : xstrdup("the GPU had nothing to do");
  }
}

/* Records what the shown cases' work does when, each in a process of its own, which counts for
 * nothing else: the recording slows it down, and what it makes fail is not the submission's. Where
 * it cannot be done in one case it can be in none. */
static void record_there(const struct runner *runner, struct grade *grade) {
  const struct conf *conf = &grade->lab->conf;
  struct runner recorder = *runner;
  recorder.timeline = true;
  recorder.times = grade->partial;
  for (int i = 0; i < conf->case_count; i++) {
    struct case_result there, *here = &grade->cases[i];
    bool wanted = (conf->cases[i].show || grade->partial) && here->spans.end > here->spans.begin;
    if (!wanted || here->state != CASE_RIGHT || conf->cases[i].fail) continue;
    progress_show("recording the timeline of case", conf->cases[i].name, 0, 0);
    run_case(&recorder, conf, i, grade->seed, &there);
    take_timeline(here, &there);
    case_free(&there);
    if (here->not_recorded) return;
  }
}

/* Times a case; outputs that are not the reference's make it wrong. */
static void time_there(const struct kit *kit, const struct runner *runner, struct grade *grade,
                       int index) {
  const struct conf *conf = &grade->lab->conf;
  struct case_result *run = &grade->cases[index];
  struct timing *timing = &grade->timings[index];
  autofree char *baseline = NULL;
  if (conf->baseline) {
    struct lab lab;
    lab_open(kit, conf->baseline, &lab);
    baseline = xstrdup(conf_function(&lab.conf, &(struct case_conf){0}));
    lab_free(&lab);
  }
  stopwatch_run(runner, conf, index,
                &(struct stopwatch){.baseline = baseline, .seconds = seconds_a_case}, timing);
  double worst = timing->measured ? timing->timed[0].worst : 0;
  if (timing->error && !timing->blame_program) {
    grade->error = xprintf("timing case %s: %s", conf->cases[index].name, timing->error);
  } else if (timing->error || worst > family_tolerance(conf_family(conf, &conf->cases[index]),
                                                       conf->cases[index].dims)) {
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

/* One that leaves to luck what the file does on a GPU. */
static bool has_hazard(const struct grade *grade) {
  for (int i = 0; i < grade->lab->conf.case_count; i++) {
    const struct report *report = &grade->cases[i].report;
    for (int h = 0; h < report->hazard_count; h++)
      if (!report->hazards[h].warning && hazard_kind_affects_results(report->hazards[h].kind))
        return true;
  }
  return false;
}

void measuring_begin(const struct kit *kit, const struct grading_options *options,
                     const struct grade *grade, struct measuring *measuring) {
  bool beside = lab_has_solution(grade->lab); /* solutions to be timed beside the file */
  *measuring = (struct measuring){.path = xprintf("%s/gpu-runner", options->work),
                                  .inside = xprintf("%s/run", options->work),
                                  .timeline = options->timeline};
  measuring->building =
      build_start(kit, &(struct build){.backend = "gpu",
                                       .lab = grade->lab,
                                       .source = grade->source->path,
                                       .own_folder = grade->source->own_folder,
                                       .runner = measuring->path,
                                       .reference = beside ? grade->lab->id : NULL,
                                       .baseline = beside ? grade->lab->conf.baseline : NULL});
}

bool measuring_run(const struct kit *kit, struct grade *grade, struct measuring *measuring,
                   struct text *messages) {
  const struct conf *conf = &grade->lab->conf;
  if (has_hazard(grade)) {
    grade->not_measured =
        "not run on the GPU: with the hazards above, what it does there is a matter of luck";
    return true;
  }
  progress_show("building for the GPU", grade->source->name, 0, 0);
  enum build_end end = build_finish(measuring->building, messages);
  measuring->building = NULL;
  if (end == BUILD_FAILED)
    grade->error = xprintf("building for the GPU failed: %.*s",
                           (int)strcspn(text_get(messages), "\n"), text_get(messages));
  if (end != BUILD_OK) return end != BUILD_REFUSED;
  struct runner runner = {.path = measuring->path, .directory = measuring->inside, .on_gpu = true};
  progress_show("running all cases on the GPU", "", 0, 0);
  if (lab_has_solution(grade->lab))
    grade->timings = xcalloc((size_t)conf->case_count, sizeof *grade->timings);
  else
    grade->not_measured =
        "run on the GPU, too, but not timed there: this copy of the kit has no solutions to time "
        "beside. Times are modelled; build/gpu/LAB M=1024 N=1024 K=1024 --time measures one size";
  run_there(&runner, grade);
  if (measuring->timeline && !grade->error) record_there(&runner, grade);
  if (!grade->timings) return true;
  for (int i = 0; i < conf->case_count && !grade->error; i++) {
    if (grade->cases[i].state != CASE_RIGHT || !score_times(conf, i)) continue;
    progress_show("timing case", conf->cases[i].name, 0, 0);
    time_there(kit, &runner, grade, i);
  }
  return true;
}

void measuring_end(struct measuring *measuring) {
  if (measuring->building) build_stop(measuring->building);
  free_all(measuring->path, measuring->inside);
  *measuring = (struct measuring){0};
}
