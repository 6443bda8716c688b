/* slurm.c: the engine that submits tasks as Slurm's job arrays.
 *
 * A task waits to be submitted, is in a job array (queued or running), and then has a result or is
 * lost. Twice a second the spool folder is read for results. squeue is run at most every two
 * seconds, and only to find tasks that have ended without one: they are submitted again, in a new
 * array, twice at most; those that somebody cancelled are not. A task that runs twice (a node that
 * was thought dead, an sbatch whose answer got lost) publishes the same result under the same name.
 *
 * Whatever Slurm's controller or network does, it is asked again; meanwhile results come in. */
#include "grader/class/engine/slurm.h"

#include <stdbool.h>
#include <stdlib.h>
#include <unistd.h>

#include "grader/base/system.h"
#include "grader/base/text.h"
#include "grader/class/engine/engine.h"
#include "grader/class/engine/slurm_command.h"
#include "grader/class/engine/slurm_tasks.h"
#include "grader/sandbox/process.h"

static const double LOOK = 0.5; /* seconds from one look for results to the next */
static const double POLL_FIRST = 2;

/* Waits, and takes up signals. False if the run is to end. */
static bool pause_run(struct slurm *slurm) {
  int running = 0;
  for (int t = 0; t < slurm->count; t++)
    running += slurm->tasks[t].phase == QUEUED && slurm->tasks[t].seen == QUEUE_RUNNING;
  slurm->run->waiting(slurm->run->context, running);
  if (!slurm->signal) slurm->signal = slurm_pause(slurm_seconds(slurm, LOOK));
  return slurm->signal == 0;
}

static bool wait_while_away(struct slurm *slurm) {
  while (clock_seconds() < slurm->away_next) {
    if (!pause_run(slurm)) return false;
    slurm_look_for_results(slurm);
  }
  return true;
}

/* Takes up the arrays of an earlier run: what is in the queue is left there. False: interrupted. */
static bool adopt(struct slurm *slurm) {
  int found = 0;
  for (int i = 0; i < slurm->ledger.count; i++) {
    struct slurm_array *array = &slurm->ledger.arrays[i];
    array->asked = clock_seconds();
    for (int k = 0; k < array->count; k++) {
      struct task *task = slurm_find_task(slurm, array->attempts[k]);
      if (!task || task->phase == ARRIVED) continue;
      task->array = i; /* the latest counts */
      task->index = k + 1;
      if (task->phase == WAITING) slurm_enter(slurm, task, QUEUED);
    }
  }
  if (slurm->phases[QUEUED] == 0) return true;
  while (!slurm_poll_queue(slurm))
    if (!wait_while_away(slurm)) return false;
  /* What has ended before this run began is this run's to submit, whoever or whatever ended it; its
   * result may have come since the last look. */
  slurm_look_for_results(slurm);
  for (int t = 0; t < slurm->count; t++) {
    struct task *task = &slurm->tasks[t];
    if (task->phase != QUEUED) continue;
    if (task->ended) {
      task->ended = 0;
      slurm_enter(slurm, task, WAITING);
    } else {
      task->tries = 1;
      found += slurm_is_alive(task->seen);
    }
  }
  if (found) {
    slurm_note(slurm, "Slurm: %d task%s of an earlier run found in the queue.", found,
               found == 1 ? "" : "s");
    slurm->any_queued = true;
  }
  return true;
}

/* False: interrupted. */
static bool ask_limits(struct slurm *slurm) {
  char *reason;
  enum submit answer;
  while ((answer = slurm_limits_read(&slurm->limits, &reason)) == SUBMIT_AWAY) {
    slurm_set_away(slurm, reason);
    free(reason);
    if (!wait_while_away(slurm)) return false;
  }
  if (answer == SUBMIT_REFUSED) die("Slurm cannot be used: %s", reason);
  slurm_set_answers(slurm);
  return true;
}

/* Until every task has arrived or is lost; false: interrupted. */
static bool watch(struct slurm *slurm) {
  for (;;) {
    slurm_look_for_results(slurm);
    slurm_settle_ended(slurm);
    if (slurm->phases[WAITING] + slurm->phases[QUEUED] == 0) return true;
    double now = clock_seconds();
    if (now >= slurm->away_next) {
      int size = now >= slurm->submit_next && slurm->phases[WAITING] ? slurm_piece(slurm) : 0;
      if (size > 0) {
        slurm_submit_piece(slurm, size);
      } else if (now >= slurm->poll_next && slurm->phases[QUEUED]) {
        slurm_poll_queue(slurm);
      }
    }
    if (!pause_run(slurm)) return false;
  }
}

/* An attempt that this run does not know, and that waits for another one. */
static bool is_wanted_elsewhere(const struct slurm *slurm, const char *attempt) {
  autofree char *job = xprintf("%s/%s.job", slurm->ledger.spool, attempt);
  return access(job, F_OK) == 0;
}

/* After a run that was not interrupted: arrays of which nothing is left to come are forgotten, with
 * the output of tasks that have a result. A task that is queued again though its result is there
 * (its node failed afterwards) is taken back. */
static void tidy(struct slurm *slurm) {
  bool *drop = xcalloc((size_t)slurm->ledger.count + 1, sizeof *drop), any = false;
  for (int i = 0; i < slurm->ledger.count; i++) {
    const struct slurm_array *array = &slurm->ledger.arrays[i];
    drop[i] = true;
    for (int k = 0; k < array->count; k++) {
      const struct task *task = slurm_find_task(slurm, array->attempts[k]);
      if (!task && is_wanted_elsewhere(slurm, array->attempts[k])) drop[i] = false;
      if (!task || task->phase == ARRIVED) {
        autofree char *log = slurm_ledger_log(&slurm->ledger, array, k + 1);
        unlink(log);
      }
    }
    any = any || drop[i];
    if (drop[i] && array->job) slurm_scancel(array->run, "PENDING");
  }
  if (any) slurm_ledger_drop(&slurm->ledger, drop);
  free(drop);
}

static void report_interrupted(const struct slurm *slurm) {
  freed_by(text_free) struct text jobs = {0};
  for (int i = 0; i < slurm->ledger.count; i++) {
    if (slurm_any_queued(slurm, i) && slurm->ledger.arrays[i].job)
      text_add(&jobs, "%s%ld", jobs.length ? " " : "", slurm->ledger.arrays[i].job);
  }
  if (slurm->phases[QUEUED])
    slurm_note(slurm,
               "Stopped. %d task%s continue%s in Slurm (job %s): run the same command again to "
               "collect the results, or with --cancel to end the tasks.",
               slurm->phases[QUEUED], slurm->phases[QUEUED] == 1 ? "" : "s",
               slurm->phases[QUEUED] == 1 ? "s" : "", text_get(&jobs));
}

static void need_programs(void) {
  static const char *const programs[] = {"sbatch", "squeue", "scontrol", "scancel"};
  for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
    autofree char *path = program_find(programs[i]);
    if (!path)
      die("there is no %s in PATH: --engine slurm works where jobs can be submitted, such as a "
          "cluster's login node",
          programs[i]);
  }
}

int engine_slurm(const struct engine_run *run) {
  struct slurm slurm = {
      .run = run, .options = run->slurm, .count = run->count, .poll_interval = POLL_FIRST};
  slurm.tasks = xcalloc((size_t)run->count, sizeof *slurm.tasks);
  for (int i = 0; i < run->count; i++)
    slurm.tasks[i] = (struct task){.attempt = run->attempts[i], .array = -1};
  qsort(slurm.tasks, (size_t)run->count, sizeof *slurm.tasks, slurm_compare_tasks);
  slurm.phases[WAITING] = run->count;
  slurm_ledger_open(&slurm.ledger, run->state);
  slurm_hold_signals();
  slurm_look_for_results(&slurm);
  bool done = slurm.phases[ARRIVED] == run->count;
  if (!done) {
    need_programs();
    done = adopt(&slurm) && ask_limits(&slurm) && watch(&slurm);
  }
  if (done) {
    if (slurm.ledger.count) tidy(&slurm);
  } else {
    report_interrupted(&slurm);
  }
  slurm_release_signals(slurm.signal);
  int missing = run->count - slurm.phases[ARRIVED];
  slurm_ledger_close(&slurm.ledger);
  free(slurm.tasks);
  return missing;
}

int slurm_cancel(const char *state) {
  struct slurm_ledger ledger;
  slurm_ledger_open(&ledger, state);
  need_programs();
  autofree bool *drop = xcalloc((size_t)ledger.count + 1, sizeof *drop);
  int cancelled = 0;
  for (int i = 0; i < ledger.count; i++)
    cancelled += drop[i] = slurm_scancel(ledger.arrays[i].run, NULL);
  bool all = cancelled == ledger.count;
  note(!all        ? "scancel cannot reach Slurm: try again later."
       : cancelled ? "Cancelled what was left of this class in Slurm. Results are kept."
                   : "This class has nothing in Slurm's queue.");
  if (cancelled) slurm_ledger_drop(&ledger, drop);
  slurm_ledger_close(&ledger);
  return all ? cancelled : -1;
}
