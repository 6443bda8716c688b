/* host_threads.c: see host_threads.h. /proc/self/task has a folder for each thread, with the time
 * that it has used. */
#include "harness/sim/runtime/host_threads.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "harness/sim/base/hold.h"

struct resting {
  pid_t thread;
  bool (*is_done)(const void *what);
  const void *what;
};

enum { MAX_RESTING = 256 }; /* what more threads do counts as awake */
static struct resting resting[MAX_RESTING];
static int resting_count;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

void host_thread_rests(bool (*is_done)(const void *what), const void *what) {
  HOLD(&lock);
  if (resting_count < MAX_RESTING)
    resting[resting_count++] = (struct resting){gettid(), is_done, what};
}

void host_thread_is_back(void) {
  HOLD(&lock);
  for (int i = resting_count; i-- > 0;)
    if (resting[i].thread == gettid()) resting[i] = resting[--resting_count];
}

static bool rests(pid_t thread) {
  HOLD(&lock);
  for (int i = 0; i < resting_count; i++)
    if (resting[i].thread == thread)
      return !resting[i].is_done || !resting[i].is_done(resting[i].what);
  return false;
}

bool host_threads_are_several(void) {
  enum { LINKS_OF_FOLDER = 2 }; /* of any; and one for each folder there */
  struct stat tasks;
  HOLD(&lock);
  return stat("/proc/self/task", &tasks) == 0 &&
         (int)tasks.st_nlink - LINKS_OF_FOLDER - resting_count > 1;
}

/* Nanoseconds. */
static uint64_t time_of(pid_t thread) {
  char path[64];
  unsigned long long used = 0;
  snprintf(path, sizeof path, "/proc/self/task/%d/schedstat", (int)thread);
  FILE *file = fopen(path, "re");
  if (file && fscanf(file, "%llu", &used) != 1) used = 0;
  if (file) fclose(file);
  return used;
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

bool host_threads_are_quiet(struct host_quiet *quiet) {
  static const double patience = 10; /* seconds */
  uint64_t used = 0;
  bool awake = false;
  DIR *tasks = opendir("/proc/self/task");
  for (const struct dirent *task; tasks && (task = readdir(tasks));) {
    pid_t thread = (pid_t)atoi(task->d_name);
    if (thread <= 0 || rests(thread)) continue;
    awake = true;
    used += time_of(thread);
  }
  if (tasks) closedir(tasks);
  if (!quiet->since || used != quiet->used) *quiet = (struct host_quiet){now(), used};
  return !awake || now() - quiet->since > patience;
}
