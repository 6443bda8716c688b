/* launch.c: process 1 of bubblewrap's namespace, which starts a program that may mean harm.
 *
 *     launch --status FD [--product PATH --product-to FD] [--uid N] [--cpu SECONDS]
 *            [--memory BYTES] [--file BYTES] [--processes N] [--confine N] [--landlock]
 *            [--write PATH]... -- PROGRAM [ARGUMENT]...
 *
 * Starts the program, confined, waits for it and reports how it ended to the grader (inside.h),
 * which bubblewrap itself would turn into a plain exit status. Then, if the program ended well,
 * copies the file that it was to make to a descriptor of the grader's. When this process ends the
 * kernel ends all others in the namespace. The program cannot reach it: process 1 takes no signals
 * from within, and is not dumpable. */

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/sandbox/inside.h"

enum { MAX_PATHS = 8 };

#define COUNT(array) (sizeof(array) / sizeof *(array))

struct orders {
  struct inside inside;
  const char *writable[MAX_PATHS + 1];
  int writable_count, status, product_to;
  const char *product;
  char **program;
};

static void report(int status, enum launch_event event, int number, const char *step,
                   uint64_t peak_bytes) {
  struct launch_status record = {event, number, peak_bytes, ""};
  snprintf(record.step, sizeof record.step, "%s", step);
  (void)!write(status, &record, sizeof record);
}

static void misuse(const char *what) {
  fprintf(stderr, "launch: %s: I am started by the grader only\n", what);
  _exit(2);
}

static void read_orders(int argc, char **argv, struct orders *orders) {
  static const char *const readable[] = {"/", NULL};
  *orders = (struct orders){.inside = {.readable = readable, .writable = orders->writable}};
  struct inside *inside = &orders->inside;
  uint64_t status = 0, product_to = 0, uid = 0, confinement = 0;
  const struct {
    const char *name;
    uint64_t *number;
  } numbers[] = {{"--status", &status},
                 {"--product-to", &product_to},
                 {"--uid", &uid},
                 {"--confine", &confinement},
                 {"--cpu", &inside->cpu_seconds},
                 {"--memory", &inside->memory_bytes},
                 {"--file", &inside->file_bytes},
                 {"--processes", &inside->processes}};
  int i = 1;
  for (; i < argc && strcmp(argv[i], "--") != 0; i++) {
    const char *name = argv[i];
    if (strcmp(name, "--landlock") == 0) {
      inside->landlock = true;
      continue;
    }
    if (++i >= argc) misuse(name);
    size_t known = 0;
    while (known < COUNT(numbers) && strcmp(name, numbers[known].name) != 0) known++;
    if (known < COUNT(numbers))
      *numbers[known].number = strtoull(argv[i], NULL, 10);
    else if (strcmp(name, "--product") == 0)
      orders->product = argv[i];
    else if (strcmp(name, "--write") == 0 && orders->writable_count < MAX_PATHS)
      orders->writable[orders->writable_count++] = argv[i];
    else
      misuse(name);
  }
  orders->status = (int)status;
  orders->product_to = (int)product_to;
  inside->uid = (uid_t)uid;
  inside->namespace = uid != 0;
  inside->confinement = (enum confinement)confinement;
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
  report(orders->status, LAUNCH_FAILED, errno, step, 0);
  _exit(127);
}

int main(int argc, char **argv) {
  struct orders orders;
  prctl(PR_SET_DUMPABLE, 0);
  read_orders(argc, argv, &orders);
  fcntl(orders.status, F_SETFD, FD_CLOEXEC);
  if (orders.product) fcntl(orders.product_to, F_SETFD, FD_CLOEXEC);
  pid_t child = fork();
  if (child == 0) become(&orders);
  if (child < 0) {
    report(orders.status, LAUNCH_FAILED, errno, "fork", 0);
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
    int error = orders.product && status == 0
                    ? inside_fetch(orders.product, orders.product_to, orders.inside.file_bytes)
                    : 0;
    if (error) report(orders.status, LAUNCH_PRODUCT, error, "product", 0);
    report(orders.status, LAUNCH_ENDED, status, "", (uint64_t)usage.ru_maxrss * 1024);
    return 0;
  }
}
