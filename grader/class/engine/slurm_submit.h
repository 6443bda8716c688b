/* slurm_submit.h: hands a job array to sbatch, and finds out from its answer what became of it. */
#ifndef KIT_SLURM_SUBMIT_H
#define KIT_SLURM_SUBMIT_H

#include <stdbool.h>

#include "grader/class/engine/slurm.h"
#include "grader/class/engine/slurm_command.h"

enum submit {
  SUBMIT_DONE,
  SUBMIT_UNSURE, /* the answer got lost: squeue has to show whether there is a job of its name */
  SUBMIT_FULL, /* too many jobs for Slurm or for the limits of the user: later, or fewer at once */
  SUBMIT_AWAY, /* the controller does not answer */
  SUBMIT_REFUSED /* for good: no such partition, no such account, more than any node has */
};

struct submission {
  const char *kit, *state;
  const char *run; /* the array's name */
  int tasks;       /* indices 1..tasks, each a line of spool/lists/RUN */
  const struct slurm_options *options;
};

/* On SUBMIT_DONE *job is the array's id; else *reason (the caller's) is why not. */
enum submit slurm_submit(const struct submission *submission, long *job, char **reason);

/* What sbatch's output means; *job is set on SUBMIT_DONE. */
enum submit slurm_submit_answer(const struct slurm_output *output, long *job);

/* Cancels an array by its name: its tasks in that state (as scancel names it), or all if NULL. */
bool slurm_scancel(const char *run, const char *state);

struct slurm_limits {
  long max_array;  /* tasks an array: MaxArraySize - 1 */
  long remembered; /* seconds that squeue still shows a job after its end: MinJobAge */
};

/* Asks scontrol for them. Where that fails, *reason (the caller's) is why: SUBMIT_AWAY: the
 * controller does not answer; SUBMIT_REFUSED: its answer cannot be used. */
enum submit slurm_limits_read(struct slurm_limits *limits, char **reason);

#endif
