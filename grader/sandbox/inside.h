/* inside.h: the last steps before a program that may mean harm is executed, in the process that
 * will be it. Used where there is nothing between the grader and that process, and by
 * launch/launch.c, which stands there within bubblewrap. */
#ifndef KIT_INSIDE_H
#define KIT_INSIDE_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

enum confinement {
  CONFINE_RUNNER, /* a submission: threads, but no processes; no file of its own making */
  CONFINE_GPU,    /* the same with what NVIDIA's driver library needs */
  CONFINE_TOOLS,  /* compilers and what they call: processes, too */
};

struct inside {
  uid_t uid;      /* to become, and a group of the same number; 0: who we are */
  bool namespace; /* then with a user namespace of its own, where the kernel lets it */
  /* 0: no limit */
  uint64_t cpu_seconds, memory_bytes, file_bytes, processes;
  enum confinement confinement;
  bool landlock; /* with these paths */
  const char *const *readable, *const *writable;
  bool best_effort; /* goes on without a filter where the kernel has none */
};

/* Returns 0; or -1 with errno set, and in *step which step failed: "uid", "landlock", "seccomp". */
int inside_enter(const struct inside *inside, const char **step);

/* Lowers a limit (RLIMIT_...) of this process; one that is lower already stays. */
void inside_limit(int resource, uint64_t soft, uint64_t hard);

/* Copies what a program made, at most `max` bytes (0: any number), if it is a plain file with one
 * name; no link is followed. Returns 0 or an errno. */
int inside_fetch(const char *path, int to, uint64_t max);

/* --- confine.c: a filter of system calls around a program that may mean harm. */

/* From now on, and through exec, system calls that none of those needs fail for the calling
 * process. Returns 0, or -1 with errno set if this kernel has no filters: then nothing happened. */
int confine_process(enum confinement confinement);

/* --- landlock.c: a process that can reach only those files that it is given. */

/* The version of Landlock's interface in this kernel, or 0: it has none, or it is switched off. */
int landlock_version(void);

/* From now on, and through exec, the calling process may only read and execute what lies at or
 * below `readable`, and beyond that write, make and remove what lies at or below `writable`: lists
 * of paths that end with NULL; what is not there is left out. A device under writable may be used
 * as such. Where the kernel knows how, it can also reach no TCP port, and no abstract socket and no
 * process outside. names_threads: it may write to its threads' files in /proc, as CUDA's driver
 * does to name its own. Needs PR_SET_NO_NEW_PRIVS. Returns 0, or -1 with errno set. */
int landlock_restrict(const char *const *readable, const char *const *writable, bool names_threads);

/* --- launch.c: what it reports to the grader through its status descriptor. */

enum launch_event {
  LAUNCH_FAILED = 1, /* the program could not be started: number is an errno, step says at what */
  LAUNCH_ENDED,      /* number is its status as of wait() */
  LAUNCH_PRODUCT,    /* the file that it was to make could not be fetched: number is an errno */
};

struct launch_status {
  int32_t event, number;
  uint64_t peak_bytes; /* resident; of LAUNCH_ENDED */
  char step[16];
};

#endif
