/* slurm_tasks.c: results, the queue, and what becomes of tasks without a result (slurm_tasks.h). */
#include "grader/class/engine/slurm_tasks.h"

#include <dirent.h>
#include <errno.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/system.h"
#include "grader/base/text.h"

enum { UNSEEN_ENOUGH = 3, NOTED_ONE_BY_ONE = 3 };

/* Seconds. */
static const double POLL_FIRST = 2, POLL_MAX = 15; /* from one squeue to the next */
static const double AWAY_FIRST = 2, AWAY_MAX = 60; /* ... while Slurm does not answer */
static const double UNSURE = 10;           /* until an sbatch without an answer shows in squeue */
static const double SETTLE = 3;            /* from a task's end until its result must be seen */
static const double SETTLE_COMPLETED = 10; /* the same if it completed: a slow file system */
static const double NOTE_AGAIN = 60;       /* from one line on the queue to the next */

/* --- notes --- */

void slurm_note(const struct slurm *slurm, const char *format, ...) {
  va_list args;
  va_start(args, format);
  autofree char *line = xvprintf(format, args);
  va_end(args);
  slurm->run->note(slurm->run->context, line);
}

double slurm_seconds(const struct slurm *slurm, double s) {
  return slurm->options->pace > 0 ? s * slurm->options->pace : s;
}

void slurm_enter(struct slurm *slurm, struct task *task, enum phase phase) {
  slurm->phases[task->phase]--;
  slurm->phases[task->phase = phase]++;
}

void slurm_lose(struct slurm *slurm, struct task *task, const char *reason) {
  slurm_enter(slurm, task, LOST);
  slurm->run->lost(slurm->run->context, task->attempt, reason);
}

void slurm_lose_waiting(struct slurm *slurm, const char *reason) {
  for (int i = 0; i < slurm->count; i++)
    if (slurm->tasks[i].phase == WAITING) slurm_lose(slurm, &slurm->tasks[i], reason);
}

void slurm_set_away(struct slurm *slurm, const char *reason) {
  if (!slurm->away_interval)
    slurm_note(slurm, "Slurm does not answer (%s). Trying again; results are collected meanwhile.",
               reason);
  double interval =
      slurm->away_interval ? 1.5 * slurm->away_interval : slurm_seconds(slurm, AWAY_FIRST);
  double max = slurm_seconds(slurm, AWAY_MAX);
  slurm->away_interval = interval < max ? interval : max;
  slurm->away_next = clock_seconds() + slurm->away_interval;
}

void slurm_set_answers(struct slurm *slurm) {
  if (slurm->away_interval) slurm_note(slurm, "Slurm answers again.");
  slurm->away_interval = slurm->away_next = 0;
}

/* --- results --- */

int slurm_compare_tasks(const void *a, const void *b) {
  return strcmp(((const struct task *)a)->attempt, ((const struct task *)b)->attempt);
}

struct task *slurm_find_task(const struct slurm *slurm, const char *attempt) {
  struct task key = {.attempt = attempt};
  return bsearch(&key, slurm->tasks, (size_t)slurm->count, sizeof key, slurm_compare_tasks);
}

static void remove_log(const struct slurm *slurm, const struct task *task) {
  if (task->array < 0) return;
  autofree char *log =
      slurm_ledger_log(&slurm->ledger, &slurm->ledger.arrays[task->array], task->index);
  unlink(log);
}

/* Opening a folder makes a network file system look for what is new in it; asking for a file that
 * was not there would not. */
void slurm_look_for_results(struct slurm *slurm) {
  static const char suffix[] = ".json";
  DIR *folder = opendir(slurm->ledger.spool);
  if (!folder) die("cannot read %s: %s", slurm->ledger.spool, strerror(errno));
  struct dirent *entry;
  while ((entry = readdir(folder))) {
    size_t length = strlen(entry->d_name);
    if (length <= strlen(suffix) || strcmp(entry->d_name + length - strlen(suffix), suffix) != 0)
      continue;
    entry->d_name[length - strlen(suffix)] = '\0';
    struct task *task = slurm_find_task(slurm, entry->d_name);
    if (!task || task->phase == ARRIVED || task->phase == LOST) continue;
    if (task->phase == QUEUED) slurm->published++;
    slurm_enter(slurm, task, ARRIVED);
    remove_log(slurm, task);
    slurm->run->arrived(slurm->run->context, task->attempt);
  }
  closedir(folder);
}

/* --- the queue --- */

static struct slurm_array *find_array(const struct slurm *slurm, const char *run, int *place) {
  for (*place = 0; *place < slurm->ledger.count; ++*place)
    if (strcmp(slurm->ledger.arrays[*place].run, run) == 0) return &slurm->ledger.arrays[*place];
  return NULL;
}

static void take_row(struct slurm *slurm, const struct queue_row *row, bool *learnt) {
  int place;
  struct slurm_array *array = find_array(slurm, row->run, &place);
  if (!array || row->index < 1 || row->index > array->count) return;
  if (!array->job) {
    array->job = row->job;
    *learnt = true;
  }
  struct task *task = slurm_find_task(slurm, array->attempts[row->index - 1]);
  if (!task || task->array != place || task->phase != QUEUED) return;
  if (row->state >= task->seen) {
    task->seen = row->state;
    snprintf(task->state_name, sizeof task->state_name, "%s", row->state_name);
  }
}

/* One line when tasks start to wait for something else, not too often. */
static void report_queue(struct slurm *slurm, const struct queue *queue) {
  int pending = 0, running = 0;
  const char *reason = "";
  for (int i = 0; i < queue->count; i++) {
    pending += queue->rows[i].state == QUEUE_PENDING;
    running += queue->rows[i].state == QUEUE_RUNNING;
    if (queue->rows[i].state == QUEUE_PENDING) reason = queue->rows[i].reason;
  }
  double now = clock_seconds();
  if (!pending || pending == slurm->noted_pending || now < slurm->note_next) return;
  slurm_note(slurm, "Slurm: %d running, %d waiting (%s).", running, pending, reason);
  slurm->note_next = now + slurm_seconds(slurm, NOTE_AGAIN);
  slurm->noted_pending = pending;
}

/* squeue shows it as ended, or does not know it. */
static void note_end(struct slurm *slurm, struct task *task, double now) {
  if (task->seen == QUEUE_NOT_THERE && !slurm->ledger.arrays[task->array].job) {
    /* An array whose sbatch gave no answer may still show. */
    if (now - slurm->ledger.arrays[task->array].asked < slurm_seconds(slurm, UNSURE)) return;
    task->tries--;
    slurm_enter(slurm, task, WAITING);
    return;
  }
  if (task->ended) return;
  task->ended = now;
  task->cancelled = task->seen == QUEUE_CANCELLED;
  if (task->seen != QUEUE_NOT_THERE) return;
  snprintf(task->state_name, sizeof task->state_name, "not in the queue");
  /* A task that has ended is shown for some time, one cancelled before it began is gone at once. */
  task->cancelled = now - task->alive < slurm_seconds(slurm, (double)slurm->limits.remembered);
}

bool slurm_any_queued(const struct slurm *slurm, int array) {
  for (int t = 0; t < slurm->count; t++)
    if (slurm->tasks[t].phase == QUEUED && slurm->tasks[t].array == array) return true;
  return false;
}

bool slurm_poll_queue(struct slurm *slurm) {
  autofree const char **runs = xcalloc((size_t)slurm->ledger.count, sizeof *runs);
  int count = 0;
  for (int i = 0; i < slurm->ledger.count; i++)
    if (slurm_any_queued(slurm, i)) runs[count++] = slurm->ledger.arrays[i].run;
  struct queue queue;
  char *reason;
  bool read = slurm_queue_read(runs, count, &queue, &reason);
  if (!read) {
    slurm_set_away(slurm, reason);
    free(reason);
    return false;
  }
  slurm_set_answers(slurm);
  bool learnt = false;
  for (int t = 0; t < slurm->count; t++) slurm->tasks[t].seen = QUEUE_NOT_THERE;
  for (int i = 0; i < queue.count; i++) take_row(slurm, &queue.rows[i], &learnt);
  if (learnt) slurm_ledger_save(&slurm->ledger);
  report_queue(slurm, &queue);
  slurm_queue_free(&queue);

  double now = clock_seconds();
  bool look_again = false;
  for (int t = 0; t < slurm->count; t++) {
    struct task *task = &slurm->tasks[t];
    if (task->phase != QUEUED) continue;
    if (slurm_is_alive(task->seen)) {
      task->alive = now;
      task->ended = 0;
    } else {
      look_again = true;
      note_end(slurm, task, now);
    }
  }
  double next = look_again ? POLL_FIRST : slurm->poll_interval * 1.5;
  slurm->poll_interval = next < POLL_MAX ? next : POLL_MAX;
  slurm->poll_next = now + slurm_seconds(slurm, slurm->poll_interval);
  return true;
}

/* "; it printed: LAST LINE (FILE)" or "", the caller's; *there: it could at least have printed. */
static char *last_words(const struct slurm *slurm, const struct task *task, bool *there) {
  autofree char *path =
      slurm_ledger_log(&slurm->ledger, &slurm->ledger.arrays[task->array], task->index);
  size_t length;
  autofree char *log = file_read(path, &length);
  *there = log != NULL;
  struct text words = {0};
  while (length > 0 && log && log[length - 1] == '\n') log[--length] = '\0';
  if (log && length > 0) {
    const char *line = strrchr(log, '\n');
    line = line ? line + 1 : log;
    size_t part = strlen(line);
    text_add(&words, "; it printed: ");
    text_add_printable(&words, line, part < 200 ? part : 200, false);
    text_add(&words, " (%s)", path);
  }
  return words.data ? words.data : xstrdup("");
}

/* Nothing that tasks write can be seen here: going on would be no use. */
static void check_shared(struct slurm *slurm) {
  int enough = slurm->count < UNSEEN_ENOUGH ? slurm->count : UNSEEN_ENOUGH;
  if (slurm->published > 0 || slurm->unseen < enough) return;
  for (int i = 0; i < slurm->ledger.count; i++) slurm_scancel(slurm->ledger.arrays[i].run, NULL);
  die("tasks have ended, but nothing that they write appears in %s.\nSlurm's nodes must see this "
      "folder and the kit (%s) under the same paths: put both on a file system that they share "
      "(--state sets the folder). The other tasks were cancelled.",
      slurm->ledger.spool, slurm->run->root);
}

static bool is_due(const struct slurm *slurm, const struct task *task) {
  if (task->phase != QUEUED || !task->ended) return false;
  bool completed = strcmp(task->state_name, "COMPLETED") == 0;
  return clock_seconds() - task->ended >=
         slurm_seconds(slurm, completed ? SETTLE_COMPLETED : SETTLE);
}

/* Returns whether to submit it again; *words (the caller's): why it is not there, or lost. */
static bool settle(struct slurm *slurm, struct task *task, char **words) {
  bool wrote;
  autofree char *printed = last_words(slurm, task, &wrote);
  bool ran = strcmp(task->state_name, "COMPLETED") == 0 || strcmp(task->state_name, "FAILED") == 0;
  slurm->unseen += ran && !wrote;
  task->ended = 0;
  *words = xprintf("%s%s", task->state_name, printed);
  if (task->cancelled) {
    slurm_lose(slurm, task, "cancelled in Slurm (scancel), so not submitted again");
    return false;
  }
  if (task->tries < SLURM_TRIES) {
    slurm_enter(slurm, task, WAITING);
    return true;
  }
  autofree char *reason =
      xprintf("ended %d times in Slurm without a result, the last time as %s", SLURM_TRIES, *words);
  slurm_lose(slurm, task, reason);
  return false;
}

void slurm_settle_ended(struct slurm *slurm) {
  int again = 0;
  for (int t = 0; t < slurm->count; t++) {
    struct task *task = &slurm->tasks[t];
    if (!is_due(slurm, task)) continue;
    char *words;
    if (settle(slurm, task, &words) && ++again <= NOTED_ONE_BY_ONE)
      slurm_note(slurm, "%s has ended in Slurm without a result, and is submitted again: %s",
                 task->attempt, words);
    free(words);
    check_shared(slurm);
  }
  if (again > NOTED_ONE_BY_ONE)
    slurm_note(slurm, "... and so have %d more.", again - NOTED_ONE_BY_ONE);
}
