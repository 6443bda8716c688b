/* spawn.c: starts the device's process for a runner that was started by hand. The device is the
 * program $KIT_DEVICE, else `device` in the folder above the runner's, else where the kit was
 * built. */
#include "harness/sim/remote/client.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "harness/base/exchange.h"
#include "harness/base/pages.h"

#ifndef KIT_BUILT_DEVICE
#error "the Makefile says where the device's program is built"
#endif

/* build/sim/lab2 -> build/device; false: there is none. */
static int beside_runner(char *path, size_t size) {
  ssize_t length = readlink("/proc/self/exe", path, size - 1);
  if (length < 0) return 0;
  path[length] = '\0';
  for (int up = 0; up < 2; up++) {
    char *slash = strrchr(path, '/');
    if (!slash) return 0;
    *slash = '\0';
  }
  size_t used = strlen(path);
  snprintf(path + used, size - used, "/device");
  return access(path, X_OK) == 0;
}

static const char *find_device(char *path, size_t size) {
  const char *named = getenv("KIT_DEVICE");
  if (named) return named;
  return beside_runner(path, size) ? path : KIT_BUILT_DEVICE;
}

int device_spawn(void) {
  char path[PATH_MAX + 16];
  const char *program = find_device(path, sizeof path);
  int ends[2];
  if (access(program, X_OK) != 0) {
    fprintf(stderr,
            "kit: the simulated device is a program of its own, and %s is none (%s): run `make "
            "grade` in the kit's "
            "folder, or let KIT_DEVICE name the kit's build/device\n",
            program, strerror(errno));
    exit(2);
  }
  fflush(NULL);
  pid_t child = -1;
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0) child = fork();
  if (child < 0) {
    fprintf(stderr, "kit: the simulated device cannot be started: %s\n", strerror(errno));
    exit(2);
  }
  if (child == 0) {
    setenv(PAGES_VARIABLE, PAGES_VALUE, 0);
    /* Our end closes with exec. */
    if (ends[1] == EXCHANGE_DEVICE_FD ? dup2(dup(ends[1]), EXCHANGE_DEVICE_FD) >= 0
                                      : dup2(ends[1], EXCHANGE_DEVICE_FD) >= 0)
      execl(program, program, "--serve", (char *)NULL);
    fprintf(stderr, "kit: %s cannot be started: %s\n", program, strerror(errno));
    _exit(2);
  }
  close(ends[1]);
  return ends[0];
}
