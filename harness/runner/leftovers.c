/* leftovers.c: finds threads that a call has left running, and undoes its changes of settings.
 *
 * A thread inherits its name from the one that starts it. So this thread gets a name of its own,
 * and a thread that has it and was not there before is the submission's: the CUDA driver, which may
 * start threads at any call, gives them names. */
#include "harness/runner/leftovers.h"

#include <dirent.h>
#include <fenv.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "harness/base/backend.h"

static bool is_known(const struct leftovers *leftovers, int id) {
  for (int i = 0; i < leftovers->known_count; i++)
    if (leftovers->known[i] == id) return true;
  return false;
}

/* Was it started by a thread with our name, and is it not about to end? A thread that was joined
 * stays listed for a moment. */
static bool is_running(const struct leftovers *leftovers, int id) {
  enum { PF_EXITING = 0x4 }; /* linux/sched.h; field 9 of proc_pid_stat(5) */
  char path[64], line[512];
  snprintf(path, sizeof path, "/proc/self/task/%d/stat", id);
  FILE *file = fopen(path, "re");
  if (!file) return false;
  char *got = fgets(line, sizeof line, file);
  fclose(file);
  char *name = got ? strchr(line, '(') : NULL, *end = got ? strrchr(line, ')') : NULL;
  unsigned flags;
  if (!name || !end || sscanf(end + 1, " %*c %*d %*d %*d %*d %*d %u", &flags) != 1) return false;
  *end = '\0';
  return !(flags & PF_EXITING) && strcmp(name + 1, leftovers->name) == 0;
}

void leftovers_begin(struct leftovers *leftovers) {
  memset(leftovers, 0, sizeof *leftovers);
  snprintf(leftovers->name, sizeof leftovers->name, "kit-submission");
  prctl(PR_SET_NAME, leftovers->name);
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) return;
  for (struct dirent *entry; (entry = readdir(tasks)) != NULL;)
    if (leftovers->known_count < LEFTOVERS_MAX_THREADS)
      leftovers->known[leftovers->known_count++] = atoi(entry->d_name);
  closedir(tasks);
}

int leftovers_threads(const struct leftovers *leftovers) {
  int count = 0;
  DIR *tasks = opendir("/proc/self/task");
  if (!tasks) return 0;
  for (struct dirent *entry; (entry = readdir(tasks)) != NULL;) {
    int id = atoi(entry->d_name);
    if (id > 0 && !is_known(leftovers, id) && is_running(leftovers, id)) count++;
  }
  closedir(tasks);
  return count;
}

void leftovers_reset(void) {
  fesetenv(FE_DFL_ENV);
  backend_reset_device();
}
