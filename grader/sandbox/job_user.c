/* job_user.c: takes user numbers that nobody has, by locks on files.
 *
 * The numbers are such that no distribution gives to anybody: systemd's UIDS-GIDS.md calls
 * 1879048192 ... 2147352575 unused, and Debian's policy reserves 65000 ... 65519, for containers in
 * which only the first 65536 exist. A file per number, locked, says that it is in use.
 *
 * When a job has ended, all processes of its user are killed. Root of the machine sees those in its
 * containers, too, whose locks it does not: each place that has locks of its own has numbers of its
 * own. (Containers with a user namespace have other numbers outside anyway.) */
#include "grader/sandbox/box.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/base/text.h"

enum { USERS = 500, PLACES = 400000 };
static const uid_t first_user = 1900000000, first_in_container = 65000;

/* Does this user namespace have the number? */
static bool exists(uid_t uid) {
  FILE *map = fopen("/proc/self/uid_map", "re");
  if (!map) return false;
  unsigned long first, outside, count;
  bool found = false;
  while (!found && fscanf(map, "%lu %lu %lu", &first, &outside, &count) == 3)
    found = uid >= first && uid - first < count;
  fclose(map);
  return found;
}

/* A folder for the locks that only root can write to. */
static int lock_folder(void) {
  static const char *const folders[] = {"/run/lab-kit-users", "/tmp/lab-kit-users"};
  for (size_t i = 0; i < sizeof folders / sizeof *folders; i++) {
    struct stat status;
    if (mkdir(folders[i], 0700) != 0 && errno != EEXIST) continue;
    int folder = open(folders[i], O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder >= 0 && fstat(folder, &status) == 0 && status.st_uid == 0 &&
        (status.st_mode & 022) == 0)
      return folder;
    if (folder >= 0) close(folder);
  }
  die("cannot lock a user for a submission: neither /run nor /tmp can be written to");
}

/* The first number of those for this pid namespace and this folder of locks. */
static uid_t first_of_place(int folder) {
  if (!exists(first_user + (uid_t)PLACES * USERS - 1)) return first_in_container;
  struct stat pids = {0}, locks = {0};
  if (stat("/proc/self/ns/pid", &pids) != 0 || fstat(folder, &locks) != 0) return first_user;
  uint64_t place = (uint64_t)pids.st_ino * 31 + (uint64_t)locks.st_dev * 7 + (uint64_t)locks.st_ino;
  return first_user + (uid_t)(place % PLACES) * USERS;
}

void job_user_take(struct job_user *user) {
  *user = (struct job_user){.lock = -1};
  if (geteuid() != 0) return;
  int folder = lock_folder();
  uid_t first = first_of_place(folder);
  for (int i = 0; i < USERS && !user->uid; i++) {
    uid_t uid = first + ((uid_t)getpid() * 7 + (uid_t)i) % USERS;
    char name[32];
    snprintf(name, sizeof name, "%u", uid);
    int lock = high_fd(openat(folder, name, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600));
    if (lock >= 0 && flock(lock, LOCK_EX | LOCK_NB) == 0)
      *user = (struct job_user){uid, lock};
    else if (lock >= 0)
      close(lock);
  }
  close(folder);
  if (!user->uid) die("all %d users for submissions are taken", USERS);
}

void job_user_end(const struct job_user *user, bool in_namespace) {
  if (!user->uid || in_namespace) return;
  pid_t child = fork();
  if (child == 0) {
    if (setresuid(user->uid, user->uid, user->uid) == 0) kill(-1, SIGKILL);
    _exit(0);
  }
  while (child > 0 && waitpid(child, NULL, 0) < 0 && errno == EINTR) {
  }
}

void job_user_give_back(struct job_user *user) {
  if (user->uid) close(user->lock);
  user->uid = 0;
}
