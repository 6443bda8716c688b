/* inside.h: the last steps before a program that may mean harm is executed, in the process that
 * will be it. Used where there is nothing between the grader and that process, and by
 * launch/launch.c, which stands there within bubblewrap. */
#ifndef KIT_INSIDE_H
#define KIT_INSIDE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "grader/sandbox/confine.h"

struct inside {
  uid_t uid;      /* to become, and a group of the same number; 0: who we are */
  bool namespace; /* then with a user namespace of its own, where the kernel lets it */
  /* 0: no limit */
  uint64_t cpu_seconds, memory_bytes, file_bytes, processes;
  enum confinement confinement;
  bool landlock; /* with these paths (landlock.h) */
  const char *const *readable, *const *writable;
  bool best_effort; /* goes on without a filter where the kernel has none */
};

/* Returns 0; or -1 with errno set, and in *step which step failed: "uid", "landlock", "seccomp". */
int inside_enter(const struct inside *inside, const char **step);

#endif
