/* grading.c: builds a file, runs its cases, measures references, scores. */
#include "grader/grading/grading.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "grader/base/screen.h"
#include "grader/grading/reference.h"
#include "grader/run/build.h"
#include "grader/run/work.h"
#include "grader/sandbox/process.h"
#include "grader/sandbox/sandbox.h"
#include "grader/score/answers.h"
#include "grader/score/score.h"

static bool is_wanted(const struct grading_options *options, const char *name) {
  for (int i = 0; i < options->case_count; i++)
    if (strcmp(options->cases[i], name) == 0) return true;
  return options->case_count == 0;
}

/* What a case that has been run means for the whole grade. */
static void take_case(const struct kit *kit, const struct grading_options *options, int index,
                      struct grade *grade) {
  struct case_result *result = &grade->cases[index];
  if (!grade->device && result->report.device) grade->device = xstrdup(result->report.device);
  if (result->claimed && !options->solution &&
      reference_is_right(kit, grade->lab, index, options->work))
    case_blame_program(result);
  if (result->state == CASE_ERROR)
    grade->error = xprintf("case %s: %s", grade->lab->conf.cases[index].name, result->reason);
}

/* The cases that are still to be run, and what runs the first of them. */
struct queue {
  const struct runner *runner;
  struct grade *grade;
  int *cases, count, total;
  bool together;     /* several in a process */
  struct run *ahead; /* started while those before them were judged; NULL: nothing is */
};

/* How many cases, from number `from` of the queue on, are to run in one process. */
static int next_group(const struct queue *queue, int from) {
  int count = queue->count - from;
  if (count > 1 && queue->together)
    return run_group(&queue->grade->lab->conf, queue->cases + from, count);
  return count > 0;
}

static struct run *prepare(const struct queue *queue, int from, int count) {
  const struct grade *grade = queue->grade;
  return run_prepare(queue->runner, &grade->lab->conf, queue->cases + from, count, grade->seed);
}

static void drop_ahead(struct queue *queue) {
  run_drop(queue->ahead);
  queue->ahead = NULL;
}

/* Runs the first cases of the queue, and takes them off it. While their results are judged the next
 * ones are under way: what these are is known if all is well. If it is not, and others are next or
 * what they may spend is another, nobody learns what those did: the grade is the same as if each
 * process had waited for the judgement of the one before. */
static void run_first(const struct kit *kit, const struct grading_options *options,
                      struct queue *queue) {
  struct grade *grade = queue->grade;
  const struct conf *conf = &grade->lab->conf;
  const int group = next_group(queue, 0), later = next_group(queue, group);
  first_results_show(grade, group > 1 ? "cases from" : "case", conf->cases[queue->cases[0]].name,
                     queue->total - queue->count + 1, queue->total);
  struct run *run = queue->ahead;
  if (!run) {
    run = prepare(queue, 0, group);
    run_start(run);
  }
  queue->ahead = later ? prepare(queue, group, later) : NULL;
  if (queue->ahead)
    run_open(queue->ahead);
  else
    run_open_second(run); /* which would be all that there is to do */
  run_wait(run);
  if (queue->ahead) run_start(queue->ahead);

  const int judged = run_judge(run, grade->cases);
  bool right = judged == group;
  for (int i = 0; i < judged; i++) right &= grade->cases[queue->cases[i]].state == CASE_RIGHT;
  queue->together &= right;
  if (!right && group > 1) {
    drop_ahead(queue);
    run_again(queue->runner, conf, queue->cases, judged, grade->seed, grade->cases);
  }
  for (int i = 0; i < judged && !grade->error; i++) take_case(kit, options, queue->cases[i], grade);
  queue->count = cases_left(conf, queue->cases, queue->count, judged, grade->cases);
  if (queue->ahead && !run_is_of(queue->ahead, queue->cases, next_group(queue, 0)))
    drop_ahead(queue);
}

/* Runs the cases in order, several small ones in a process: starting one costs more. Each has a
 * device of its own, fresh, so that what one case does hides nothing that the simulator would find
 * in the next. Once one is not right the rest run by themselves: of a file that is wrong everywhere
 * each case would have to be run again. */
static void run_cases(const struct kit *kit, const struct grading_options *options,
                      const struct runner *runner, struct grade *grade) {
  const struct conf *conf = &grade->lab->conf;
  struct queue queue = {.runner = runner,
                        .grade = grade,
                        .cases = xcalloc((size_t)conf->case_count + 1, sizeof *queue.cases),
                        .together = !runner->keep};
  for (int i = 0; i < conf->case_count; i++) {
    if (is_wanted(options, conf->cases[i].name))
      queue.cases[queue.count++] = i;
    else
      grade->cases[i].reason = xstrdup("not asked for");
  }
  queue.total = queue.count;
  while (queue.count > 0 && !grade->error) run_first(kit, options, &queue);
  drop_ahead(&queue);
  cases_decide(conf, grade->cases);
  free(queue.cases);
}

static void measure_references(const struct kit *kit, const struct grading_options *options,
                               struct grade *grade) {
  for (int of = OF_BASELINE; of < ITEM_OFS && !grade->error; of++) {
    const char *lab = of == OF_BASELINE ? grade->lab->conf.baseline : grade->lab->id;
    if (!lab) continue;
    first_results_show(grade, "measuring the solution of", lab, 0, 0);
    reference_measure(kit, grade, (enum item_of)of, lab, options->work, &grade->error);
  }
}

/* The compiler quotes the file: nothing in its messages may steer the terminal. */
static void show_messages(const char *messages) {
  struct screen screen;
  screen_open(&screen, stderr);
  freed_by(text_free) struct text lines = {0};
  text_add_lines(&lines, messages, strlen(messages), screen.utf8);
  fputs(text_get(&lines), stderr);
  if (lines.length && lines.data[lines.length - 1] != '\n') fputc('\n', stderr);
}

static enum build_end build(const struct kit *kit, const char *runner, const struct grade *grade,
                            struct text *messages) {
  const struct source *source = grade->source;
  if (source->too_long) {
    text_add(messages, "%s: error: the file is longer than %d MiB; a solution has a few KiB\n",
             source->path, SOURCE_BYTES >> 20);
    return BUILD_REFUSED;
  }
  progress_show("building", source->name, 0, 0);
  return build_runner(kit,
                      &(struct build){.backend = "sim",
                                      .lab = grade->lab,
                                      .source = source->path,
                                      .own_folder = source->own_folder,
                                      .runner = runner},
                      messages);
}

const char *grading_open(const struct kit *kit, bool unsafe) {
  process_hold_signals();
  sandbox_open(kit, unsafe);
  return work_make(kit);
}

void grading_close(void) {
  work_remove();
  process_release_signals();
}

void grading_run(const struct kit *kit, const struct grading_options *options,
                 struct grade *grade) {
  autofree char *path = xprintf("%s/runner", options->work),
                *inside = xprintf("%s/run", options->work);
  if (mkdir(inside, 0700) != 0) die("%s: %s", inside, strerror(errno));
  if (!grade->cases)
    grade->cases = xcalloc((size_t)grade->lab->conf.case_count, sizeof *grade->cases);
  grade->partial = options->case_count > 0;
  grade->answers = answers_read(&grade->lab->conf, grade->source);
  struct measuring measuring = {0};
  bool measured = strcmp(grade->backend, "gpu") == 0 && !grade->source->too_long;
  if (measured) measuring_begin(kit, options, grade, &measuring);
  freed_by(text_free) struct text messages = {0};
  struct seconds begin = seconds_now();
  enum build_end end = build(kit, path, grade, &messages);
  profile_add(grade->profile, -1, PHASE_BUILD, seconds_since(begin));
  progress_show(NULL, NULL, 0, 0);
  show_messages(text_get(&messages)); /* errors or warnings */
  grade->messages = xstrdup(text_get(&messages));
  if (end == BUILD_FAILED || (end == BUILD_REFUSED && options->solution)) { /* which is ours */
    grade->error =
        xprintf("building failed: %.*s", (int)strcspn(grade->messages, "\n"), grade->messages);
  } else if (end == BUILD_REFUSED) {
    score_build_failure(grade, grade->messages);
  } else {
    struct runner runner = {.path = path,
                            .device = kit->device,
                            .directory = inside,
                            .keep = options->keep,
                            .provenance = true,
                            .times = grade->partial,
                            .accesses = options->accesses,
                            .timeline = options->timeline,
                            .profile = grade->profile,
                            .spending = &grade->spending};
    run_cases(kit, options, &runner, grade);
    bool built = true;
    if (!grade->error && measuring.building) {
      messages.length = 0;
      built = measuring_run(kit, grade, &measuring, &messages);
      if (messages.length) show_messages(text_get(&messages));
      if (!built) {
        free(grade->messages);
        grade->messages = xstrdup(text_get(&messages));
      }
    }
    begin = seconds_now();
    if (!grade->error && built) measure_references(kit, options, grade);
    profile_add(grade->profile, -1, PHASE_REFERENCES, seconds_since(begin));
    begin = seconds_now();
    hidden_redact(grade);
    score_hazards(grade);
    if (!grade->error && built) share_find(kit, grade);
    if (!built)
      score_build_failure(grade, grade->messages);
    else if (!grade->error)
      score_items(grade);
    profile_add(grade->profile, -1, PHASE_SCORE, seconds_since(begin));
    progress_show(NULL, NULL, 0, 0);
  }
  measuring_end(&measuring);
  grade->sandbox = sandbox_level_names[sandbox_level()];
  if (grade->error) grade->verdict = "error";
}

void grade_free(struct grade *grade) {
  const struct conf *conf = &grade->lab->conf;
  for (int i = 0; i < conf->case_count; i++) case_free(&grade->cases[i]);
  for (int i = 0; i < conf->item_count && grade->items; i++) free(grade->items[i].reason);
  for (int i = 0; i < grade->hazard_count; i++) hazard_record_free(&grade->hazards[i]);
  for (int i = 0; i < ITEM_OFS; i++)
    free_all(grade->references[i].name, grade->references[i].measured, grade->references[i].totals);
  for (int i = 0; i < conf->case_count && grade->timings; i++) timing_free(&grade->timings[i]);
  free(grade->timings);
  share_free(grade);
  answers_free(conf, grade->answers);
  registers_free(&grade->registers);
  free_all(grade->cases, grade->items, grade->hazards, grade->messages, grade->device,
           grade->reference_note, grade->error);
}
