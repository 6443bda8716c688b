/* slurm_pieces.c: submits tasks in pieces that Slurm accepts.
 *
 * How many that are is nowhere to be read: limits of the queue, the user, the account and the QOS
 * add up. So all are tried first, and half of them after a refusal; what was taken is how many are
 * kept in the queue from then on, and a quarter more is tried as tasks end. */
#include <stdlib.h>

#include "grader/base/system.h"
#include "grader/base/text.h"
#include "grader/class/engine/slurm_command.h"
#include "grader/class/engine/slurm_tasks.h"

enum { NOTE_PIECE = 10 }; /* smaller ones are not noted, once there are many */

/* Seconds. */
static const double FULL_FIRST = 5, FULL_MAX = 60; /* from one refused sbatch to the next */
static const double FULL_PATIENCE =
    600;                             /* until a queue that is full without us is called a refusal */
static const double POLL_AFTER = 2;  /* from sbatch to the first squeue */
static const double NOTE_FIRST = 10; /* ... to the first line on the queue */

int slurm_piece(const struct slurm *slurm) {
  int size = slurm->phases[WAITING], queued = slurm->phases[QUEUED];
  if (size > slurm->limits.max_array) size = (int)slurm->limits.max_array;
  if (!slurm->capacity) return size;
  int room = slurm->capacity - queued;
  if (size <= room) return size;
  /* Not an array for every task that ends. */
  return room > 0 && room >= slurm->capacity / 4 ? room : 0;
}

static void refused_as_full(struct slurm *slurm, int size, const char *reason) {
  double now = clock_seconds();
  int queued = slurm->phases[QUEUED];
  if (!slurm->full_noted)
    slurm_note(
        slurm,
        "Slurm accepts only some of the tasks for now (%s). The others are submitted as those end.",
        reason);
  slurm->full_noted = true;
  if (!slurm->full_since) {
    slurm->full_since = now;
    slurm->full_interval = slurm_seconds(slurm, FULL_FIRST);
  }
  slurm->capacity = queued + size / 2;
  if (size > 1) return; /* half of it at once */
  if (queued == 0) slurm->capacity = 1;
  slurm->submit_next = now + slurm->full_interval;
  double max = slurm_seconds(slurm, FULL_MAX);
  slurm->full_interval = 1.5 * slurm->full_interval < max ? 1.5 * slurm->full_interval : max;
  if (queued == 0 && now - slurm->full_since > slurm_seconds(slurm, FULL_PATIENCE)) {
    autofree char *words =
        xprintf("sbatch does not accept even one task, though none of ours is queued: %s", reason);
    slurm_lose_waiting(slurm, words);
  }
}

static void accepted(struct slurm *slurm) {
  if (!slurm->any_queued) slurm->note_next = clock_seconds() + slurm_seconds(slurm, NOTE_FIRST);
  slurm->any_queued = true;
  slurm->poll_interval = POLL_AFTER;
  slurm->poll_next = clock_seconds() + slurm_seconds(slurm, POLL_AFTER);
  slurm->full_since = slurm->full_interval = 0;
  /* More the next time: the limit may not be ours alone, and it was found by halves. */
  if (slurm->capacity && slurm->phases[QUEUED] >= slurm->capacity)
    slurm->capacity += slurm->capacity / 4 + 1;
}

static void forget_array(struct slurm *slurm, int place) {
  autofree bool *drop = xcalloc((size_t)slurm->ledger.count, sizeof *drop);
  drop[place] = true;
  slurm_ledger_drop(&slurm->ledger, drop);
}

static void refused(struct slurm *slurm, const char *reason) {
  if (!slurm->any_queued)
    die("sbatch refuses the tasks: %s\nNothing was submitted. Pass what sbatch needs with --slurm "
        "partition=NAME, --slurm account=NAME and so on.",
        reason);
  autofree char *words = xprintf("sbatch refused it: %s", reason);
  slurm_lose_waiting(slurm, words);
}

void slurm_submit_piece(struct slurm *slurm, int size) {
  autofree struct task **tasks = xcalloc((size_t)size, sizeof *tasks);
  autofree const char **attempts = xcalloc((size_t)size, sizeof *attempts);
  for (int t = 0, n = 0; t < slurm->count && n < size; t++) {
    if (slurm->tasks[t].phase != WAITING) continue;
    tasks[n] = &slurm->tasks[t];
    attempts[n++] = slurm->tasks[t].attempt;
  }
  int place = slurm_ledger_add(&slurm->ledger, attempts, size);
  struct slurm_array *array = &slurm->ledger.arrays[place];
  char *reason = NULL;
  enum submit answer = slurm_submit(&(struct submission){.kit = slurm->run->root,
                                                         .state = slurm->run->state,
                                                         .run = array->run,
                                                         .tasks = size,
                                                         .options = slurm->options},
                                    &array->job, &reason);
  array->asked = clock_seconds();
  if (answer == SUBMIT_DONE || answer == SUBMIT_UNSURE) {
    for (int i = 0; i < size; i++) {
      tasks[i]->array = place;
      tasks[i]->index = i + 1;
      tasks[i]->tries++;
      tasks[i]->ended = 0;
      tasks[i]->alive = array->asked;
      slurm_enter(slurm, tasks[i], QUEUED);
    }
    accepted(slurm);
  } else {
    forget_array(slurm, place);
  }
  if (answer == SUBMIT_DONE) {
    slurm_ledger_save(&slurm->ledger);
    if (!slurm->full_noted || size >= NOTE_PIECE)
      slurm_note(slurm, "Slurm: %d task%s submitted, job %ld.", size, size == 1 ? "" : "s",
                 array->job);
    slurm_set_answers(slurm);
  } else if (answer == SUBMIT_FULL) {
    refused_as_full(slurm, size, reason);
  } else if (answer == SUBMIT_REFUSED) {
    refused(slurm, reason);
  } else {
    slurm_set_away(slurm, reason);
  }
  free(reason);
}
