/* profile.c: the clocks, and sums by phase. */
#include "grader/base/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include "grader/base/text.h"

const char *const phase_keys[PHASES] = {
#define X(name, key, ...) key,
    KIT_PHASES(X)
#undef X
};

/* Seconds from the machine's start to the process's, to the hundredth; 0: not known. */
static double started_at(void) {
  char line[1024];
  unsigned long long ticks = 0;
  FILE *file = fopen("/proc/self/stat", "re");
  const char *at = file && fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
  if (file) fclose(file);
  for (int field = 2; at && field < 22; field++) at = strchr(at + 1, ' '); /* proc(5) */
  if (!at || sscanf(at, "%llu", &ticks) != 1) return 0;
  return (double)ticks / (double)sysconf(_SC_CLK_TCK);
}

static double seconds_of(int who) {
  struct rusage usage;
  getrusage(who, &usage);
  return (double)(usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) +
         1e-6 * (double)(usage.ru_utime.tv_usec + usage.ru_stime.tv_usec);
}

struct seconds seconds_at_start(void) {
  return (struct seconds){started_at(), 0};
}

struct seconds seconds_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_BOOTTIME, &now);
  return (struct seconds){(double)now.tv_sec + 1e-9 * (double)now.tv_nsec,
                          seconds_of(RUSAGE_SELF) + seconds_of(RUSAGE_CHILDREN)};
}

struct seconds seconds_since(struct seconds begin) {
  struct seconds now = seconds_now();
  return (struct seconds){now.wall - begin.wall, now.cpu - begin.cpu};
}

int profile_add_cases(struct profile *profile, const char *name) {
  if (!profile) return -1;
  array_add(profile->cases, profile->case_count)->name = xstrdup(name);
  return profile->case_count - 1;
}

static void add(struct seconds *sum, struct seconds cost) {
  sum->wall += cost.wall;
  sum->cpu += cost.cpu;
}

void profile_add(struct profile *profile, int cases, enum phase phase, struct seconds cost) {
  if (!profile) return;
  add(&profile->phase[phase], cost);
  if (cases >= 0) add(&profile->cases[cases].phase[phase], cost);
}

void profile_free(struct profile *profile) {
  for (int i = 0; i < profile->case_count; i++) free(profile->cases[i].name);
  free(profile->cases);
}
