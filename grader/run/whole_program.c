/* whole_program.c: see whole_program.h.
 *
 * The device is a process beside the program, outside the sandbox, as in execute.c; what it has
 * seen is in its report (harness/sim/remote/program_report.h), a file in our private folder. */
#include "grader/run/whole_program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/screen.h"
#include "grader/base/system.h"
#include "grader/base/text.h"
#include "grader/sandbox/sandbox.h"
#include "harness/base/exchange.h"

enum { REPORT_SECONDS = 5 };

bool whole_program_compile(const struct kit *kit, struct whole_program *program, const char *work,
                           const char *path) {
  autofree char *kcc = kit_path(kit, "harness/kcc");
  const char *argv[PROGRAM_MAX_WORDS + 4] = {kcc, "-o", path};
  for (int i = 0; i < program->compiler.count; i++) argv[3 + i] = program->compiler.list[i];
  char **environment = process_environment(work);
  int output = memory_file("compiler output");
  struct process_end end;
  progress_show("compiling", NULL, 0, 0);
  process_run(&(struct process){.argv = argv, .environment = environment, .output_fd = output},
              &end);
  progress_show(NULL, NULL, 0, 0);
  process_free_environment(environment);
  read_all(output, 1 << 20, &program->messages);
  close(output);
  write_all(STDERR_FILENO, text_get(&program->messages), program->messages.length);
  if (end.start_error) die("%s cannot be started: %s", kcc, strerror(end.start_error));
  if (end.exit_code == 2) die("the program cannot be compiled");
  return !end.signal && end.exit_code == 0;
}

/* process_environment with these variables (NULL: none), which stand for the user's own of the same
 * names. */
static char **environment_with(const char *work, const char *const *own, int own_count) {
  char **environment = process_environment(work);
  int count = 0;
  while (environment[count]) count++;
  environment = xrealloc(environment, (size_t)(count + own_count + 1) * sizeof *environment);
  for (int i = 0; i < own_count; i++) {
    size_t name = own[i] ? strcspn(own[i], "=") + 1 : 0;
    int k = 0;
    if (!own[i]) continue;
    while (k < count && strncmp(environment[k], own[i], name) != 0) k++;
    if (k == count)
      environment[++count] = NULL;
    else
      free(environment[k]);
    environment[k] = xstrdup(own[i]);
  }
  return environment;
}

void whole_program_run(const struct kit *kit, const struct whole_program *program, const char *work,
                       const char *path, const char *report, struct process_end *end) {
  int sockets[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0)
    die("cannot make a socket: %s", strerror(errno));
  autofree char *device_path = kit_path(kit, "build/device");
  autofree char *to = xprintf("KIT_REPORT=%s", report);
  autofree char *folder = program->folder ? real_path(xstrdup(program->folder)) : NULL;
  autofree char *timeline =
      program->timeline ? xprintf("KIT_TIMELINE=%s", program->timeline) : NULL;
  bool shows_progress = progress_is_possible();
  const char *const for_device[] = {to, shows_progress ? "KIT_PROGRESS=1" : NULL,
                                    program->accesses ? "KIT_REPORT_ACCESSES=1" : NULL, timeline},
                    *const for_program[] = {"KIT_DEVICE_OPEN=1"};
  char **of_device = environment_with(work, for_device, 4),
       **of_program = environment_with(work, for_program, 1);
  const char *device_argv[] = {device_path, "--serve", NULL}, *argv[PROGRAM_MAX_WORDS + 2];
  struct sandbox_path inside = {path, "/grading/program"};
  struct sandbox sandbox = {
      .confinement = CONFINE_RUNNER, .paths = &inside, .path_count = 1, .shared = folder};
  argv[0] = sandbox_inside(&inside);
  for (int i = 0; i <= program->arguments.count; i++) argv[1 + i] = program->arguments.list[i];
  struct process device = {.argv = device_argv,
                           .environment = of_device,
                           .output_fd = STDERR_FILENO,
                           .fds = {{sockets[0], EXCHANGE_DEVICE_FD}},
                           .fd_count = 1};
  struct process process = {.argv = argv,
                            .environment = of_program,
                            .directory = folder,
                            .output_fd = STDOUT_FILENO,
                            .error_fd = STDERR_FILENO,
                            .input_fd = isatty(STDIN_FILENO) ? 0 : dup(STDIN_FILENO),
                            .fds = {{sockets[1], EXCHANGE_DEVICE_FD}},
                            .fd_count = 1,
                            .sandbox = &sandbox};
  struct output_keeper *keeper = NULL;
  if (program->output)
    keeper = output_keeper_open(program->output, &process.output_fd, &process.error_fd);
  struct process_under_way device_way, way;
  struct process_end device_end;
  process_start(&device, &device_way);
  process_start(&process, &way);
  way.spares_us = true;
  close(sockets[0]);
  close(sockets[1]);
  if (keeper) output_keeper_begin(keeper);
  process_finish(&way, end);
  if (keeper) output_keeper_finish(keeper);
  /* Its client is gone: it writes its report and ends, but not before the end of a kernel, which
   * may take longer than somebody waits who has interrupted the program. */
  if (end->interrupted) device_way.deadline = clock_seconds() + REPORT_SECONDS;
  process_finish(&device_way, &device_end);
  process_free_environment(of_device);
  process_free_environment(of_program);
  if (device_way.start_error)
    die("the simulated device cannot be started: %s; run make grade",
        strerror(device_way.start_error));
}
