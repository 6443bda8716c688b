/* slurm_queue.c: squeue's arguments and output. */

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/class/engine/slurm_command.h"

static const double SQUEUE_SECONDS = 60;

/* Names of squeue(1), JOB STATE CODES; an unknown one counts as alive: it is asked for again. */
static enum queue_state state_of(const char *name) {
  static const char *const ended[] = {"BOOT_FAIL", "COMPLETED",    "DEADLINE",      "FAILED",
                                      "NODE_FAIL", "PREEMPTED",    "OUT_OF_MEMORY", "TIMEOUT",
                                      "REVOKED",   "LAUNCH_FAILED"};
  static const char *const waiting[] = {"PENDING",     "REQUEUED",     "REQUEUE_HOLD",
                                        "REQUEUE_FED", "SPECIAL_EXIT", "RESV_DEL_HOLD"};
  for (size_t i = 0; i < sizeof ended / sizeof *ended; i++)
    if (strcmp(name, ended[i]) == 0) return QUEUE_ENDED;
  for (size_t i = 0; i < sizeof waiting / sizeof *waiting; i++)
    if (strcmp(name, waiting[i]) == 0) return QUEUE_PENDING;
  return strcmp(name, "CANCELLED") == 0 ? QUEUE_CANCELLED : QUEUE_RUNNING;
}

static bool parse_number(const char *text, long *number) {
  char *end;
  errno = 0;
  *number = strtol(text, &end, 10);
  return *text >= '0' && *text <= '9' && !*end && !errno;
}

/* NAME|JOB|INDEX|STATE|REASON: only the last may hold a '|'. */
static bool parse_row(char *line, struct queue_row *row) {
  char *field[5];
  for (int i = 0; i < 5; i++) {
    field[i] = i < 4 ? strsep(&line, "|") : line;
    if (!field[i]) return false;
  }
  row->run = field[0];
  row->state_name = field[3];
  row->reason = field[4];
  row->state = state_of(field[3]);
  return parse_number(field[1], &row->job) && parse_number(field[2], &row->index);
}

bool slurm_queue_parse(char *text, struct queue *queue) {
  *queue = (struct queue){.text = text};
  for (char *rest = text; rest && *rest;) {
    char *line = strsep(&rest, "\n");
    if (!parse_row(line, array_add(queue->rows, queue->count))) return false;
  }
  return true;
}

bool slurm_queue_read(const char *const *runs, int count, struct queue *queue, char **reason) {
  struct text names = {0};
  text_add(&names, "--name=");
  for (int i = 0; i < count; i++) text_add(&names, "%s%s", i ? "," : "", runs[i]);
  autofree char *user = xprintf("--user=%lu", (unsigned long)geteuid());
  const char *const argv[] = {"squeue",       "--noheader", "--array",
                              "--states=all", user,         "--format=%j|%F|%K|%T|%r",
                              names.data,     NULL};
  struct slurm_output output;
  *queue = (struct queue){0};
  slurm_command(argv, SQUEUE_SECONDS, NULL, &output);
  bool read = output.status == 0;
  *reason = NULL;
  if (!read) {
    *reason = slurm_output_reason(&output);
  } else if (!slurm_queue_parse(xstrdup(text_get(&output.out)), queue)) {
    *reason = xstrdup("squeue printed something that is not a row of its table");
    slurm_queue_free(queue);
    read = false;
  }
  slurm_output_free(&output);
  text_free(&names);
  return read;
}

void slurm_queue_free(struct queue *queue) {
  free_all(queue->rows, queue->text);
  *queue = (struct queue){0};
}
