/* execute.c: starts a runner, and beside it the device.
 *
 * The device has the job, the report and the inputs; the runner has the submission's native code
 * and one descriptor, the socket between them. The device always comes to an end: when the job is
 * done, when the runner sends what is no message, when the runner has closed its end (as it does
 * when it dies), or when both have slept for too long. Then the runner is of no more use. */
#include "grader/run/execute.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <unistd.h>

#include "grader/base/screen.h"
#include "grader/base/system.h"
#include "grader/run/run.h"
#include "grader/sandbox/process.h"
#include "grader/sandbox/sandbox.h"
#include "harness/base/exchange.h"

/* Room beyond what the submission may allocate: its arrays' shadow, threads, the program itself. */
static const uint64_t device_room_bytes = (uint64_t)1 << 30;
/* That a runner may sleep when the device has nothing more for it. */
static const double runner_grace = 2;

struct executing {
  bool has_device; /* a process of its own; else the runner has the jobs itself: the GPU backend */
  struct process_under_way device, runner;
  int start; /* closed as soon as the job is there; -1: it is */
  int words; /* what the device prints */
  uint64_t cpu_seconds;
  struct seconds begin;
};

/* How the device failed, if it did. */
static char *device_fault(const struct process_end *end, int output) {
  if (end->start_error)
    return xprintf("the simulated device cannot be started: %s; run make grade",
                   strerror(end->start_error));
  if (end->timed_out || end->signal == SIGXCPU ||
      (!end->signal && (!end->exit_code || end->exit_code == EXCHANGE_ENDED)))
    return NULL;
  if (end->signal)
    return xprintf("the simulated device was killed by signal %d%s", end->signal,
                   end->signal == SIGKILL ? ": the machine may have run out of memory"
                                          : ", which no program should be able to cause");
  freed_by(text_free) struct text words = {0};
  read_all(output, 300, &words);
  const char *all = text_get(&words), *line = strncmp(all, "kit: ", 5) == 0 ? all + 5 : all;
  struct text fault = {0};
  text_add(&fault, "the simulated device reports: ");
  text_add_printable(&fault, line, strcspn(line, "\n"), true);
  return fault.data;
}

static void start_with_device(const struct runner *runner, const struct process *of_runner,
                              const struct execution *execution, int start,
                              struct executing *executing) {
  int sockets[2];
  executing->words = memory_file("device output");
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    die("cannot make a socket: %s", strerror(errno));
  const char *argv[] = {runner->device, "--job", NULL};
  struct process device = *of_runner, process = *of_runner;
  device.argv = argv;
  device.output_fd = executing->words;
  device.sandbox =
      NULL; /* it is the kit's, and runs nothing of the submission's; but it reads its PTX */
  device.confined = execution->confined;
  device.cpu_seconds = execution->device_cpu_seconds;
  device.memory_bytes = execution->memory_bytes ? execution->memory_bytes + device_room_bytes : 0;
  device.file_bytes = execution->report_bytes + execution->log_bytes;
  device.fds[0] = (struct process_fd){execution->job, EXCHANGE_JOB_FD};
  device.fds[1] = (struct process_fd){execution->report, EXCHANGE_REPORT_FD};
  device.fds[2] = (struct process_fd){sockets[0], EXCHANGE_DEVICE_FD};
  device.fds[3] = (struct process_fd){start, EXCHANGE_START_FD};
  device.fd_count = 4;
  process.fds[0] = (struct process_fd){sockets[1], EXCHANGE_DEVICE_FD};
  process.fd_count = 1;
  process_start(&device, &executing->device);
  process_start(&process, &executing->runner);
  close(sockets[0]);
  close(sockets[1]);
}

static void finish_with_device(struct executing *executing, struct ends *ends) {
  struct process_end device_end;
  process_finish(&executing->device, &device_end);
  ends->of_device = (struct seconds){seconds_since(executing->begin).wall, device_end.cpu_seconds};
  bool ended = !device_end.signal && device_end.exit_code == EXCHANGE_ENDED;
  if (ended) {
    process_stop(&executing->runner, &ends->runner);
  } else {
    process_hurry(&executing->runner, runner_grace);
    process_finish(&executing->runner, &ends->runner);
  }
  ends->cut_off = !ended && ends->runner.timed_out && !device_end.timed_out;
  if (ends->cut_off) ends->runner = (struct process_end){0};
  ends->device_spent = device_end.signal == SIGXCPU;
  if (device_end.timed_out) ends->runner.timed_out = true, ends->runner.signal = 0;
  ends->device_fault = device_fault(&device_end, executing->words);
  close(executing->words);
}

/* Whoever ignores SIGXCPU gets SIGKILL a second later. */
static bool is_spent(const struct process_end *end, uint64_t cpu_seconds) {
  return end->signal == SIGXCPU ||
         (end->signal == SIGKILL && cpu_seconds && end->cpu_seconds >= (double)cpu_seconds);
}

struct executing *execute_start(const struct runner *runner, const struct execution *execution) {
  struct executing *executing = xcalloc(1, sizeof *executing);
  struct sandbox_path inside = {runner->path, "/grading/runner"};
  struct sandbox sandbox = {.confinement = runner->device ? CONFINE_RUNNER : CONFINE_GPU,
                            .paths = &inside,
                            .path_count = 1,
                            .processes = execution->threads};
  const char *path = execution->confined ? sandbox_inside(&inside) : runner->path;
  const char *argv[] = {path, runner->device ? "--calls" : "--job", NULL};
  char **environment = process_environment(runner->directory);
  struct process process = {
      .argv = argv,
      .environment = environment,
      .directory = runner->directory,
      .output_fd = execution->output,
      .sandbox = execution->confined ? &sandbox : NULL,
      .sleep_seconds = execution->sleep_seconds,
      .cpu_seconds = execution->cpu_seconds,
      .memory_bytes = execution->memory_bytes,
      .file_bytes = execution->report_bytes,
  };
  *executing = (struct executing){.has_device = runner->device != NULL,
                                  .cpu_seconds = execution->cpu_seconds};
  int start[2];
  high_pipe(start);
  executing->start = start[1];
  if (executing->has_device) {
    start_with_device(runner, &process, execution, start[0], executing);
  } else {
    process.fds[0] = (struct process_fd){execution->job, EXCHANGE_JOB_FD};
    process.fds[1] = (struct process_fd){execution->report, EXCHANGE_REPORT_FD};
    process.fds[2] = (struct process_fd){start[0], EXCHANGE_START_FD};
    process.fd_count = 3;
    process_start(&process, &executing->runner);
  }
  close(start[0]);
  process_free_environment(environment);
  return executing;
}

void execute_go(struct executing *executing) {
  close(executing->start);
  executing->start = -1;
  executing->begin = seconds_now();
}

void execute_finish(struct executing *executing, struct ends *ends) {
  *ends = (struct ends){0};
  if (executing->has_device)
    finish_with_device(executing, ends);
  else
    process_finish(&executing->runner, &ends->runner);
  ends->host_spent = is_spent(&ends->runner, executing->cpu_seconds);
  ends->of_runner =
      (struct seconds){seconds_since(executing->begin).wall, ends->runner.cpu_seconds};
  free(executing);
}

void execute_stop(struct executing *executing) {
  if (executing->has_device) {
    process_stop(&executing->device, NULL);
    close(executing->words);
  }
  process_stop(&executing->runner, NULL);
  if (executing->start >= 0) close(executing->start);
  free(executing);
}

/* --- turns --- */

/* For reading: enough for a lock, also on a file that another user has made. */
static int open_lock(const char *file) {
  int fd = open(file, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
  if (fd < 0) fd = open(file, O_RDONLY | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0644);
  return fd;
}

int turn_take(const char *file, enum turn turn) {
  int fd = open_lock(file);
  if (fd < 0) return -1;
  int wanted = (turn == TURN_ALONE ? LOCK_EX : LOCK_SH) | LOCK_NB;
  while (flock(fd, wanted) != 0) {
    if (errno != EWOULDBLOCK && errno != EINTR) {
      close(fd);
      return -1;
    }
    progress_show("waiting for the GPU, which other gradings are using", "", 0, 0);
    process_pause(0.02);
  }
  return fd;
}

void turn_end(int taken) {
  if (taken >= 0) close(taken);
}
