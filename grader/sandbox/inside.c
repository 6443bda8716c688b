/* inside.c: what a process does to itself before it becomes the program: limits, users, files. */
#include "grader/sandbox/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

void inside_limit(int resource, uint64_t soft, uint64_t hard) {
  struct rlimit now, wanted = {soft, hard};
  if (getrlimit(resource, &now) != 0) return;
  if (now.rlim_max < wanted.rlim_max) wanted.rlim_max = now.rlim_max; /* it is lower still */
  if (wanted.rlim_cur > wanted.rlim_max) wanted.rlim_cur = wanted.rlim_max;
  setrlimit(resource, &wanted);
}

static bool write_file(const char *path, const char *text) {
  int fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return false;
  bool good = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
  close(fd);
  return good;
}

/* A user namespace in which the user is who it is and nobody else exists. Where the kernel refuses
 * one, the user is an unprivileged one without it, too. */
static void enter_user_namespace(uid_t uid) {
  char map[64];
  snprintf(map, sizeof map, "%u %u 1\n", uid, uid);
  prctl(PR_SET_DUMPABLE, 1); /* its own files in /proc are its own again */
  if (unshare(CLONE_NEWUSER) == 0) {
    write_file("/proc/self/setgroups", "deny");
    write_file("/proc/self/gid_map", map);
    write_file("/proc/self/uid_map", map);
  }
  prctl(PR_SET_DUMPABLE, 0);
}

/* Those that exec or a set-user-id file would give. */
static void drop_bounding_set(void) {
  for (int c = 0; prctl(PR_CAPBSET_READ, c, 0, 0, 0) >= 0; c++) prctl(PR_CAPBSET_DROP, c, 0, 0, 0);
}

static void drop_capabilities(void) {
  struct {
    uint32_t version;
    int pid;
  } header = {0x20080522, 0};
  struct {
    uint32_t effective, permitted, inheritable;
  } none[2] = {{0}};
  prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
  drop_bounding_set();
  syscall(SYS_capset, &header, none);
}

static bool become_user(uid_t uid) {
  drop_bounding_set();
  return setgroups(0, NULL) == 0 && setresgid(uid, uid, uid) == 0 && setresuid(uid, uid, uid) == 0;
}

int inside_enter(const struct inside *inside, const char **step) {
  *step = "uid";
  if (inside->uid) {
    pid_t parent = getppid();
    if (!become_user(inside->uid)) return -1;
    prctl(PR_SET_PDEATHSIG, SIGKILL); /* which a change of user clears */
    if (getppid() != parent) _exit(1);
    if (inside->namespace) enter_user_namespace(inside->uid);
  }
  personality(ADDR_NO_RANDOMIZE); /* the same addresses each time: so are results that use them */
  umask(022);                     /* what it makes is fetched by another user */
  inside_limit(RLIMIT_CORE, 0, 0);
  inside_limit(RLIMIT_NOFILE, 1024, 1024);
  inside_limit(RLIMIT_MSGQUEUE, 0, 0);
  /* A second between SIGXCPU, which says what happened, and SIGKILL. */
  if (inside->cpu_seconds) inside_limit(RLIMIT_CPU, inside->cpu_seconds, inside->cpu_seconds + 1);
  if (inside->file_bytes) inside_limit(RLIMIT_FSIZE, inside->file_bytes, inside->file_bytes);
  if (inside->processes) inside_limit(RLIMIT_NPROC, inside->processes, inside->processes);
  drop_capabilities();
  if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 && !inside->best_effort) return -1;
  *step = "landlock";
  if (inside->landlock && landlock_restrict(inside->readable, inside->writable,
                                            inside->confinement == CONFINE_GPU) != 0)
    return -1;
  *step = "seccomp";
  if (confine_process(inside->confinement) != 0 && !inside->best_effort) return -1;
  /* Last, as what is called here takes memory: under AddressSanitizer more than there would be. */
  if (inside->memory_bytes) inside_limit(RLIMIT_AS, inside->memory_bytes, inside->memory_bytes);
  return 0;
}

int inside_fetch(const char *path, int to, uint64_t max) {
  int from = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC), error = 0;
  if (from < 0) return errno;
  struct stat status;
  if (fstat(from, &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink != 1) error = EINVAL;
  static char buffer[1 << 16];
  uint64_t left = max ? max : UINT64_MAX;
  ssize_t got = 0;
  while (!error && left && (got = read(from, buffer, sizeof buffer)) > 0) {
    left -= (uint64_t)got > left ? left : (uint64_t)got;
    for (ssize_t at = 0; at < got && !error;) {
      ssize_t put = write(to, buffer + at, (size_t)(got - at));
      if (put < 0) error = errno;
      at += put;
    }
  }
  if (got < 0) error = errno;
  close(from);
  return error;
}
