/* slurm_tasks.h: what is known of every task while the engine of slurm.h runs. slurm.c has the run,
 * slurm_tasks.c results and queue, slurm_pieces.c the submitting. */
#ifndef KIT_SLURM_TASKS_H
#define KIT_SLURM_TASKS_H

#include <stdbool.h>

#include "grader/class/engine/engine.h"
#include "grader/class/engine/slurm.h"
#include "grader/class/engine/slurm_command.h"
#include "grader/class/engine/slurm_ledger.h"

enum { SLURM_TRIES = 3 };

enum phase {
  WAITING, /* to be submitted */
  QUEUED,  /* in a job array: in the queue, or running, or ended a moment ago */
  ARRIVED, /* its result is there */
  LOST     /* there will be none in this run */
};
enum { PHASES = LOST + 1 };

struct task {
  const char *attempt;
  enum phase phase;
  int tries;
  int array, index; /* the last one it was in: place in the ledger, index from 1; array -1: none */
  enum queue_state seen;
  char state_name[24]; /* squeue's latest */
  double alive;        /* when it was last known to be in the queue or running */
  double ended;        /* when squeue first showed that; 0: it has not */
  bool cancelled;      /* then: by somebody */
};

struct slurm {
  const struct engine_run *run;
  const struct slurm_options *options;
  struct slurm_ledger ledger;
  struct task *tasks; /* sorted by attempt */
  int count;
  int phases[PHASES]; /* how many tasks are in each */
  int signal;         /* that came for us, or 0 */

  int published; /* results that tasks in the queue have left */
  int unseen;    /* tasks that have ended without leaving anything */

  double away_next, away_interval; /* when to ask Slurm again; interval 0: it answers */
  double poll_next, poll_interval;

  struct slurm_limits limits;
  bool any_queued;
  int capacity; /* tasks of ours that fit into the queue; 0: no limit is known */
  bool full_noted;
  double submit_next, full_interval, full_since; /* full_since 0: it is not full */

  double note_next; /* when there may be a line on the queue */
  int noted_pending;
};

/* Wall-clock seconds that are to take this many; tests are in a hurry. */
double slurm_seconds(const struct slurm *slurm, double seconds);
/* A line for people. */
void slurm_note(const struct slurm *slurm, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
/* Slurm did not answer: notes that once, and puts off the next try; and that it does again. */
void slurm_set_away(struct slurm *slurm, const char *reason);
void slurm_set_answers(struct slurm *slurm);

/* Is any task of that array QUEUED? */
bool slurm_any_queued(const struct slurm *slurm, int array);
struct task *slurm_find_task(const struct slurm *slurm, const char *attempt);
int slurm_compare_tasks(const void *a, const void *b); /* for qsort */
void slurm_enter(struct slurm *slurm, struct task *task, enum phase phase);
void slurm_lose(struct slurm *slurm, struct task *task, const char *reason);
/* All that wait. */
void slurm_lose_waiting(struct slurm *slurm, const char *reason);

void slurm_look_for_results(struct slurm *slurm);
/* Asks squeue about the tasks that are QUEUED. False if Slurm does not answer. */
bool slurm_poll_queue(struct slurm *slurm);
/* What becomes of the tasks that have ended, and whose result does not come. Ends the program if
 * nothing that tasks write can be seen here. */
void slurm_settle_ended(struct slurm *slurm);

/* How many tasks to submit now; 0: none, for now. */
int slurm_piece(const struct slurm *slurm);
/* Submits that many of those that wait. */
void slurm_submit_piece(struct slurm *slurm, int size);

#endif
