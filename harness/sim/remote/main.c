/* main.c: the simulated device as a process of its own: build/device.
 *
 *     build/device --job      for the grader: jobs and reports as in exchange.h, with a runner at
 *                             EXCHANGE_DEVICE_FD
 *     build/device --serve    for a runner started by hand, which starts this and is served by it
 *
 * Memory, execution of PTX, counters, checks and the model of time are here; the submission's
 * native code is not. Reads KIT_SIM_* from its environment. Exit status: 0, or 2 for a fault of the
 * kit or of the machine, reported on stderr.
 */
#include <limits.h>
#include <malloc.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "harness/base/exchange.h"
#include "harness/sim/remote/program_report.h"
#include "harness/sim/remote/server.h"
#include "harness/sim/remote/timeline_trace.h"

/* What the runner cannot do to us, being of the same user: look into our memory and descriptors. */
static void drop_privileges(void) {
#ifndef __SANITIZE_ADDRESS__ /* its leak check traces the process */
  prctl(PR_SET_DUMPABLE, 0);
#endif
  prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
  signal(SIGPIPE, SIG_IGN);
}

/* Of a program by hand, that its user can end: hours. */
static const struct budget nearly_endless = {
    .instructions = UINT64_C(4) << 40, .bytes = UINT64_C(1) << 56, .calls = UINT64_C(1) << 40};

/* Each launch copies what it may have to undo: the C library is not to give that memory back to the
 * kernel, which would clear its pages each time. Larger arrays are mostly used only once. */
static void keep_freed_memory(void) {
  enum { MAX_KEPT = 32 << 20 };
  mallopt(M_MMAP_THRESHOLD, MAX_KEPT);
  mallopt(M_TRIM_THRESHOLD, INT_MAX);
  mallopt(M_ARENA_MAX, 1);
}

/* A kernel that never ends goes with its runner. PR_SET_PDEATHSIG would go by the thread that has
 * started us, which may end long before its process. */
static void *end_with_runner(void *runner) {
  while (getppid() == *(pid_t *)runner) usleep(200000);
  usleep(500000); /* what was found is told first */
  _exit(0);
}

static int serve(void) {
  static pid_t runner;
  pthread_t thread;
  char error[200];
  keep_freed_memory();
  runner = getppid();
  if (pthread_create(&thread, NULL, end_with_runner, &runner) == 0) pthread_detach(thread);
  struct server server = {.socket = EXCHANGE_DEVICE_FD,
                          .options = device_options_from_environment()};
  int status = 0;
  const char *repeats = getenv("KIT_SIM_REPEATS");
  server.options.files = server.options.waits = true;
  server.options.repeats = !(repeats && strcmp(repeats, "off") == 0);
  if (!server.options.budget.instructions) server.options.budget = nearly_endless;
  server.program = program_open(&server);
  server.progress = progress_line_open();
  server.trace = timeline_trace_open();
  if (!server.program || !server_open(&server, error, sizeof error)) {
    fprintf(stderr, "kit: the simulated GPU could not be started: %s\n", error);
    status = 2;
  } else if (server_serve(&server, false) == SERVER_REFUSED) {
    fputs("kit: the program sent to the device what no function of the CUDA runtime sends\n",
          stderr);
    status = 2;
  }
  program_close(server.program);
  progress_line_close(server.progress);
  timeline_trace_close(server.trace);
  server_close(&server);
  return status;
}

int main(int argc, char **argv) {
  drop_privileges();
  if (argc == 2 && strcmp(argv[1], "--job") == 0) return job_run();
  if (argc == 2 && strcmp(argv[1], "--serve") == 0) return serve();
  fputs("use: the grader and runners start this program; there is nothing to run by hand\n",
        stderr);
  return 2;
}
