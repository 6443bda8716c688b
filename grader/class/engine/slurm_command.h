/* slurm_command.h: runs Slurm's programs and takes up what they print. No shell is involved. */
#ifndef KIT_SLURM_COMMAND_H
#define KIT_SLURM_COMMAND_H

#include <stdbool.h>

#include "grader/base/text.h"
#include "grader/class/engine/slurm.h"

struct slurm_output {
  int status; /* exit status; -1: it did not end by itself, or could not be started */
  bool cut;   /* ended by `limit`, `enough` or a signal for us: what it did is not known */
  struct text out, err;
};

/* argv[0] is looked up in PATH. It is ended after `limit` seconds, when `enough` (may be NULL)
 * appears on its stderr, or some seconds after one of the held signals (slurm_hold_signals). */
void slurm_command(const char *const *argv, double limit, const char *enough,
                   struct slurm_output *output);
void slurm_output_free(struct slurm_output *output);

/* Why it failed, in Slurm's words: one line, fit for a terminal. The caller's. */
char *slurm_output_reason(const struct slurm_output *output);

/* SIGINT, SIGTERM and SIGHUP wait until they are asked for. */
void slurm_hold_signals(void);
/* Sleeps; returns the signal that ended the sleep early, or 0. */
int slurm_pause(double seconds);
/* Lets the signal do what it does to a program that knows nothing of it. */
void slurm_release_signals(int signal);

/* --- what squeue knows of our arrays (slurm_queue.c) --- */

enum queue_state {
  QUEUE_NOT_THERE, /* or no longer: Slurm forgets a job some minutes after its end (MinJobAge) */
  QUEUE_ENDED,     /* by no fault of the node, nor cancelled: COMPLETED, FAILED, TIMEOUT ... */
  QUEUE_CANCELLED, /* by somebody */
  QUEUE_PENDING,
  QUEUE_RUNNING /* or about to, or just ending */
};

static inline bool slurm_is_alive(enum queue_state state) { return state >= QUEUE_PENDING; }

struct queue_row {
  const char *run;
  long job, index;
  enum queue_state state;
  const char *state_name, *reason; /* as squeue prints them: "NODE_FAIL", "Resources" */
};

struct queue {
  struct queue_row *rows;
  int count;
  char *text; /* what the rows point into */
};

/* Tasks of the arrays with these names. False if squeue fails; *reason (the caller's): why. */
bool slurm_queue_read(const char *const *runs, int count, struct queue *queue, char **reason);
/* The same from squeue's output, which it takes over. */
bool slurm_queue_parse(char *text, struct queue *queue);
void slurm_queue_free(struct queue *queue);

/* --- sbatch, scancel and scontrol (slurm_submit.c) --- */

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
