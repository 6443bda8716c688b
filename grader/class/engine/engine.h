/* engine.h: what gets attempts graded: processes of this machine, or a batch system.
 *
 * Each attempt is a task, `./grade task STATE ATTEMPT` (task.c) or what a worker does for its name,
 * `./grade task STATE -` (task_worker.c): it reads STATE/spool/ATTEMPT.job and publishes
 * STATE/spool/ATTEMPT.json. Result files are the truth, whatever processes or queues show: a task
 * may have been run twice, or by somebody else, and a second result changes nothing. */
#ifndef KIT_CLASS_ENGINE_H
#define KIT_CLASS_ENGINE_H

#include "grader/class/base/class.h"
#include "grader/class/engine/slurm.h"

struct engine_run {
  const char *root;            /* the kit's folder */
  const char *state;           /* the state folder, absolute */
  const char *const *attempts; /* ids; their job files are there, results may be */
  int count;
  int jobs; /* tasks at a time, at least 1 */
  const struct slurm_options *slurm;
  /* Called once for every attempt whose result file is there, as soon as that is seen. */
  void (*arrived)(void *context, const char *attempt);
  /* Called whenever no more results are there for the moment, in a batch system about four times a
   * second: running is how many tasks are under way. */
  void (*waiting)(void *context, int running);
  /* Called once for every attempt that gets no result in this run, with the reason in words: to be
   * reported, and tried again when the class is graded again. */
  void (*lost)(void *context, const char *attempt, const char *reason);
  /* A line for people on what is going on; it must not tear a progress line. */
  void (*note)(void *context, const char *line);
  void *context;
};

/* Return when every attempt has a result or has failed for good: how many have none. If the program
 * ends meanwhile (exit, a signal, kill -9), a local run's tasks end with it; those of a batch
 * system may go on, and a later run picks up what they publish. */
int engine_local(const struct engine_run *run);
int engine_slurm(const struct engine_run *run);

/* --- what has engines run (collect.c) --- */

/* Grades what is pending, and what failed earlier. What gets no grade is in collect_report(). */
void collect_run(struct class *class);

/* Lists what was refused or could not be graded, each with its reason; counts them as problems. */
void collect_report(struct class *class);

#endif
