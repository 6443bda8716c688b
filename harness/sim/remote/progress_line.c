/* progress_line.c: see progress_line.h. */
#include "harness/sim/remote/progress_line.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct progress_line {
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  bool closes, runs, shown;
  char kernel[64];
  int launches;
  double opened, began; /* seconds */
};

static const double QUIET = 2, SHORT = 0.5; /* seconds: of the program; of a launch */

static double now_in_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Nobody else writes to the terminal meanwhile, and one that fails is none. */
static void put(const char *text) {
  ssize_t written = write(STDERR_FILENO, text, strlen(text));
  (void)written;
}

/* Saves the cursor, and lets nothing wrap around; wipes what is left of the words before. */
static void show(struct progress_line *line) {
  char text[160];
  snprintf(text, sizeof text, "\0337\033[?7l %s: launch %d, %.0f s\033[K\033[?7h\0338",
           line->kernel, line->launches, now_in_seconds() - line->began);
  put(text);
  line->shown = true;
}

static void *run(void *context) {
  struct progress_line *line = context;
  pthread_mutex_lock(&line->lock);
  while (!line->closes) {
    struct timespec until;
    clock_gettime(CLOCK_MONOTONIC, &until);
    until.tv_nsec += 250000000;
    until.tv_sec += until.tv_nsec / 1000000000;
    until.tv_nsec %= 1000000000;
    if (line->runs)
      pthread_cond_timedwait(&line->changed, &line->lock, &until);
    else
      pthread_cond_wait(&line->changed, &line->lock);
    double now = now_in_seconds();
    if (line->runs && now - line->opened >= QUIET && now - line->began >= SHORT) show(line);
  }
  pthread_mutex_unlock(&line->lock);
  return NULL;
}

struct progress_line *progress_line_open(void) {
  const char *wish = getenv("KIT_PROGRESS");
  if (!wish || strcmp(wish, "1") != 0 || !isatty(STDERR_FILENO)) return NULL;
  struct progress_line *line = calloc(1, sizeof *line);
  if (!line) return NULL;
  line->opened = now_in_seconds();
  pthread_mutex_init(&line->lock, NULL);
  pthread_condattr_t clock;
  pthread_condattr_init(&clock);
  pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
  pthread_cond_init(&line->changed, &clock);
  pthread_condattr_destroy(&clock);
  if (pthread_create(&line->thread, NULL, run, line) == 0) return line;
  free(line);
  return NULL;
}

void progress_line_close(struct progress_line *line) {
  if (!line) return;
  pthread_mutex_lock(&line->lock);
  line->closes = true;
  pthread_cond_signal(&line->changed);
  pthread_mutex_unlock(&line->lock);
  pthread_join(line->thread, NULL);
  pthread_cond_destroy(&line->changed);
  pthread_mutex_destroy(&line->lock);
  free(line);
}

void progress_line_begin(struct progress_line *line, const char *kernel) {
  if (!line) return;
  pthread_mutex_lock(&line->lock);
  snprintf(line->kernel, sizeof line->kernel, "%s", kernel);
  line->launches++;
  line->began = now_in_seconds();
  line->runs = true;
  pthread_cond_signal(&line->changed);
  pthread_mutex_unlock(&line->lock);
}

void progress_line_end(struct progress_line *line) {
  if (!line) return;
  pthread_mutex_lock(&line->lock);
  if (line->shown) put("\033[K");
  line->runs = line->shown = false;
  pthread_mutex_unlock(&line->lock);
}
