/* device_process.c: starts the device's process and says why it has ended (device_process.h). */
#include "harness/sim/remote/device_process.h"

#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "harness/base/exchange.h"
#include "harness/base/job.h"
#include "harness/base/pages.h"

#ifndef KIT_BUILT_DEVICE
#error "mk/sim.mk defines where the device's program is built"
#endif

extern const char kit_installed_device[] __attribute__((weak)); /* mk/programs.mk */

static pid_t child = -1;

int device_process_start(void) {
  const char *program = getenv("KIT_DEVICE");
  int ends[2];
  if (!program) program = kit_installed_device ? kit_installed_device : KIT_BUILT_DEVICE;
  if (access(program, X_OK) != 0)
    kit_die(
        "the simulated device is a program of its own, and %s is none (%s): run `make grade` "
        "in the kit's folder, or let KIT_DEVICE name the kit's build/device",
        program, strerror(errno));
  fflush(NULL);
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0) child = fork();
  if (child < 0) kit_die("the simulated device cannot be started: %s", strerror(errno));
  if (child == 0) {
    setenv(PAGES_VARIABLE, PAGES_VALUE, 0);
    /* The copy stays open; our end closes with exec. */
    if (dup2(dup(ends[1]), EXCHANGE_DEVICE_FD) >= 0)
      execl(program, program, "--serve", (char *)NULL);
    fprintf(stderr, "kit: %s cannot be started: %s\n", program, strerror(errno));
    _exit(2);
  }
  close(ends[1]);
  return ends[0];
}

/* How the process ended; false: it is not ours, or has not ended within two seconds. */
static bool wait_for_end(int *status) {
  if (child < 0) return false;
  for (int i = 0; i < 200; i++) {
    if (waitpid(child, status, WNOHANG) == child) return true;
    usleep(10000);
  }
  return false;
}

const char *device_process_end(void) {
  static char text[200];
  int status;
  if (!wait_for_end(&status) || (WIFEXITED(status) && WEXITSTATUS(status) == 0))
    return "it has ended";
  if (WIFEXITED(status)) return "it has ended with an error, which is above";
  if (WTERMSIG(status) == SIGKILL)
    return "it was killed, as a rule because this machine has too little memory for what the "
           "program does; try smaller arrays";
  snprintf(text, sizeof text,
           "it has crashed (%s), which is a fault of the kit, not of your program; please report "
           "it, with the program",
           strsignal(WTERMSIG(status)));
  return text;
}
