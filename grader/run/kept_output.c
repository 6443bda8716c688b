/* kept_output.c: see kept_output.h. A thread passes the output on; signals are the others'. */
#include "grader/run/kept_output.h"

#include <errno.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/system.h"
#include "grader/sandbox/process.h"

enum { HEAD = 48 << 10, TAIL = 16 << 10, STREAMS = 2 };

struct output_keeper {
  struct kept_output *kept;
  pthread_t thread;
  int from[STREAMS], ends[STREAMS]; /* of pipes: for us, and for the program */
};

static void keep(struct kept_output *kept, const char *bytes, size_t length) {
  size_t room = HEAD - kept->head.length, first = length < room ? length : room;
  text_append(&kept->head, bytes, first);
  text_append(&kept->tail, bytes + first, length - first);
  if (kept->tail.length <= 2 * TAIL) return;
  size_t old = kept->tail.length - TAIL;
  memmove(kept->tail.data, kept->tail.data + old, TAIL + 1);
  kept->tail.length = TAIL;
  kept->left_out += old;
}

static void *pass_on(void *argument) {
  struct output_keeper *keeper = argument;
  static const int to[STREAMS] = {STDOUT_FILENO, STDERR_FILENO};
  struct pollfd polled[STREAMS];
  int open = STREAMS;
  for (int i = 0; i < STREAMS; i++) polled[i] = (struct pollfd){keeper->from[i], POLLIN, 0};
  while (open > 0) {
    if (poll(polled, STREAMS, -1) < 0 && errno != EINTR) break;
    for (int i = 0; i < STREAMS; i++) {
      if (polled[i].fd < 0 || !polled[i].revents) continue;
      char bytes[1 << 14];
      ssize_t got = read(polled[i].fd, bytes, sizeof bytes);
      if (got < 0 && errno == EINTR) continue;
      if (got > 0) {
        keep(keeper->kept, bytes, (size_t)got);
        if (write_all(to[i], bytes, (size_t)got)) continue;
      }
      close(polled[i].fd);
      polled[i].fd = -1;
      open--;
    }
  }
  return NULL;
}

struct output_keeper *output_keeper_open(struct kept_output *kept, int *stdout_end,
                                         int *stderr_end) {
  struct output_keeper *keeper = xcalloc(1, sizeof *keeper);
  keeper->kept = kept;
  for (int i = 0; i < STREAMS; i++) {
    int fds[2];
    high_pipe(fds);
    keeper->from[i] = fds[0];
    keeper->ends[i] = fds[1];
  }
  *stdout_end = keeper->ends[0];
  *stderr_end = keeper->ends[1];
  return keeper;
}

void output_keeper_begin(struct output_keeper *keeper) {
  sigset_t all, before;
  sigfillset(&all);
  for (int i = 0; i < STREAMS; i++) close(keeper->ends[i]);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  int error = pthread_create(&keeper->thread, NULL, pass_on, keeper);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (error) die("no thread for the program's output: %s", strerror(error));
}

void output_keeper_finish(struct output_keeper *keeper) {
  pthread_join(keeper->thread, NULL);
  free(keeper);
}

void kept_output_free(struct kept_output *kept) {
  text_free(&kept->head);
  text_free(&kept->tail);
}
