/* task_worker.c: ./grade task STATE -: grades attempts of a class, one after another.
 *
 * What is the same for all of them is found once: the sandbox, by running a program in it, and the
 * hash of the kit. Each attempt then has a process of its own, forked from the worker, which itself
 * handles nothing of any submission: whatever an attempt leaves in memory, in the environment or
 * open, and however it ends, the next one starts as if it were the first.
 *
 * An attempt ends with its worker (PR_SET_PDEATHSIG). It holds the worker's end of the answers
 * until then, so that whoever reads them to their end knows that both are gone. */
#include "grader/commands/commands.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/base/text.h"
#include "grader/grading/reference.h"
#include "grader/sandbox/process.h"
#include "grader/sandbox/sandbox.h"

/* In the attempt's own process. */
static _Noreturn void grade(const struct kit *kit, const char *state, const char *attempt,
                            pid_t worker) {
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  if (getppid() != worker) _exit(2);
  int nothing = open("/dev/null", O_RDONLY | O_CLOEXEC);
  if (nothing < 0 || dup2(nothing, 0) < 0) die("/dev/null: %s", strerror(errno));
  exit(task_run(kit, state, attempt));
}

/* Its status, as of wait(). */
static int grade_apart(const struct kit *kit, const char *state, const char *attempt) {
  pid_t worker = getpid(), pid = fork();
  if (pid < 0) die("cannot start a task: %s", strerror(errno));
  if (pid == 0) grade(kit, state, attempt, worker);
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  while (waitpid(-1, NULL, WNOHANG) > 0) continue; /* what one that was killed has left to us */
  return status;
}

int task_work(const struct kit *kit, const char *state) {
  int answers = high_fd(dup(1));
  if (answers < 0 || dup2(2, 1) < 0) die("cannot move stdout: %s", strerror(errno));
  struct kit known = *kit;
  sandbox_open(kit, getenv("KIT_UNSAFE") != NULL);
  known.hash = reference_hash_kit(kit);
  char *line = NULL;
  size_t room = 0;
  while (getline(&line, &room, stdin) > 0) {
    line[strcspn(line, "\n")] = '\0';
    int status = grade_apart(&known, state, line);
    if (dprintf(answers, "%s %d\n", line, status) < 0) break; /* nobody wants to know any more */
  }
  free(line);
  close(answers);
  return 0;
}
