/* launch.c: stands between bubblewrap and a program that may mean harm, as process 1 of its
 * namespace.
 *
 *     launch --status FD [--product PATH --product-to FD] [--uid N] [--cpu SECONDS] [--memory
 * BYTES]
 *       [--file BYTES] [--processes N] [--confine N] [--landlock] [--write PATH]...
 *       -- PROGRAM [ARGUMENT]...
 *
 * Starts the program, confined, waits for it and tells the grader how it ended (launch.h), which
 * bubblewrap itself would turn into a plain exit status. Then, if the program ended well, copies
 * the file that it was to make to a descriptor of the grader's. When this process ends the kernel
 * ends all others in the namespace. The program cannot reach it: process 1 takes no signals from
 * within, and is not dumpable. */

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/sandbox/inside.h"

enum { MOST_PATHS = 8 };

struct orders {
  struct inside inside;
  const char *writable[MOST_PATHS + 1];
  int writable_count, status, product_to;
  const char *product;
  char **program;
};

static void tell(int status, enum launch_event event, int number, const char *step,
                 uint64_t peak_bytes) {
  struct launch_record record = {event, number, peak_bytes, ""};
  snprintf(record.step, sizeof record.step, "%s", step);
  (void)!write(status, &record, sizeof record);
}

static void misuse(const char *what) {
  fprintf(stderr, "launch: %s: I am started by the grader only\n", what);
  _exit(2);
}

static void read_orders(int argc, char **argv, struct orders *orders) {
  static const char *const readable[] = {"/", NULL};
  *orders = (struct orders){.status = -1, .product_to = -1};
  struct inside *inside = &orders->inside;
  inside->readable = readable;
  inside->writable = orders->writable;
  int i = 1;
  for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
    const char *name = argv[i];
    if (strcmp(name, "--landlock") == 0) {
      inside->landlock = true;
      continue;
    }
    if (++i >= argc) misuse(name);
    unsigned long long number = strtoull(argv[i], NULL, 10);
    if (strcmp(name, "--status") == 0)
      orders->status = (int)number;
    else if (strcmp(name, "--product") == 0)
      orders->product = argv[i];
    else if (strcmp(name, "--product-to") == 0)
      orders->product_to = (int)number;
    else if (strcmp(name, "--uid") == 0)
      inside->uid = (uid_t)number, inside->namespace = true;
    else if (strcmp(name, "--cpu") == 0)
      inside->cpu_seconds = number;
    else if (strcmp(name, "--memory") == 0)
      inside->memory_bytes = number;
    else if (strcmp(name, "--file") == 0)
      inside->file_bytes = number;
    else if (strcmp(name, "--processes") == 0)
      inside->processes = number;
    else if (strcmp(name, "--confine") == 0)
      inside->confinement = (enum confinement)number;
    else if (strcmp(name, "--write") == 0 && orders->writable_count < MOST_PATHS)
      orders->writable[orders->writable_count++] = argv[i];
    else
      misuse(name);
  }
  if (i + 1 >= argc || orders->status < 3) misuse("arguments");
  orders->program = argv + i + 1;
}

/* In the child. */
static _Noreturn void become(const struct orders *orders) {
  const char *step;
  if (inside_enter(&orders->inside, &step) == 0) {
    step = "exec";
    execv(orders->program[0], orders->program);
  }
  tell(orders->status, LAUNCH_FAILED, errno, step, 0);
  _exit(127);
}

/* Copies the product: a plain file that nobody else has a name for. Returns 0 or an errno. */
static int fetch(const struct orders *orders) {
  int from = open(orders->product, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (from < 0) return errno;
  struct stat status;
  int error = 0;
  if (fstat(from, &status) != 0 || !S_ISREG(status.st_mode) || status.st_nlink != 1) error = EINVAL;
  static char buffer[1 << 16];
  uint64_t left = orders->inside.file_bytes ? orders->inside.file_bytes : UINT64_MAX;
  ssize_t got = 0;
  while (!error && left && (got = read(from, buffer, sizeof buffer)) > 0) {
    left -= (uint64_t)got > left ? left : (uint64_t)got;
    for (ssize_t at = 0; at < got && !error;) {
      ssize_t put = write(orders->product_to, buffer + at, (size_t)(got - at));
      if (put < 0) error = errno;
      at += put;
    }
  }
  if (got < 0) error = errno;
  close(from);
  return error;
}

int main(int argc, char **argv) {
  struct orders orders;
  prctl(PR_SET_DUMPABLE, 0);
  read_orders(argc, argv, &orders);
  fcntl(orders.status, F_SETFD, FD_CLOEXEC);
  if (orders.product_to >= 0) fcntl(orders.product_to, F_SETFD, FD_CLOEXEC);
  pid_t child = fork();
  if (child == 0) become(&orders);
  if (child < 0) {
    tell(orders.status, LAUNCH_FAILED, errno, "fork", 0);
    return 1;
  }
  /* Whoever is at the other end of the program's descriptors is to see when it closes them. */
  if (orders.status > 3) close_range(3, (unsigned)orders.status - 1, 0);
  for (;;) { /* orphans of the program end up here, too */
    int status;
    struct rusage usage;
    pid_t ended = wait4(-1, &status, 0, &usage);
    if (ended < 0 && errno != EINTR) return 1;
    if (ended != child) continue;
    int error = orders.product && status == 0 ? fetch(&orders) : 0;
    if (error) tell(orders.status, LAUNCH_PRODUCT, error, "product", 0);
    tell(orders.status, LAUNCH_ENDED, status, "", (uint64_t)usage.ru_maxrss * 1024);
    return 0;
  }
}
