/* slurm_queue.h: what squeue knows of our arrays. */
#ifndef KIT_SLURM_QUEUE_H
#define KIT_SLURM_QUEUE_H

#include <stdbool.h>

enum queue_state {
  QUEUE_NOT_THERE, /* or no longer: Slurm forgets a job some minutes after its end (MinJobAge) */
  QUEUE_ENDED, /* without saying that the node or a person was to blame: COMPLETED, FAILED, TIMEOUT
                  ... */
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

/* The tasks of the arrays with these names. False if squeue fails; *reason (the caller's) is why.
 */
bool slurm_queue_read(const char *const *runs, int count, struct queue *queue, char **reason);
/* The same from squeue's output, which it takes over. */
bool slurm_queue_parse(char *text, struct queue *queue);
void slurm_queue_free(struct queue *queue);

#endif
