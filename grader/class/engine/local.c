/* local.c: the engine for this machine: `jobs` tasks at a time.
 *
 * A task that died without a result (the machine killed it, it ran out of memory) is run once more.
 * Every task is asked to die with us (PR_SET_PDEATHSIG), and what it runs dies with it in the same
 * way or by its own supervision. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/base/text.h"
#include "grader/class/engine/engine.h"
#include "grader/sandbox/process.h"

enum { TRIES = 2 };

struct task {
  const char *attempt;
  pid_t pid; /* 0: not under way */
  int tries, log;
};

static bool has_result(const struct engine_run *run, const char *attempt) {
  autofree char *path = xprintf("%s/spool/%s.json", run->state, attempt);
  return access(path, F_OK) == 0;
}

/* Tasks that run at once share the cores: threads that have to wait for one another only cost time.
 * The grade is the same for any number of them. */
static void share_cores(int jobs) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  char threads[24];
  snprintf(threads, sizeof threads, "%ld", cores > jobs ? cores / jobs : 1);
  setenv("KIT_SIM_THREADS", threads, 0);
}

static void start(const struct engine_run *run, struct task *task, const sigset_t *before) {
  autofree char *program = xprintf("%s/build/grade", run->root);
  task->log = memory_file("task");
  pid_t parent = getpid();
  task->tries++;
  task->pid = fork();
  if (task->pid < 0) die("cannot start a task: %s", strerror(errno));
  if (task->pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(2);
    setpgid(0, 0); /* Ctrl-C reaches the collector only, which ends the tasks */
    sigprocmask(SIG_SETMASK, before, NULL);
    int nothing = open("/dev/null", O_RDWR);
    dup2(nothing, 0);
    dup2(task->log, 1);
    dup2(task->log, 2);
    setenv("KIT_ROOT", run->root, 1);
    share_cores(run->jobs);
    execl(program, program, "task", run->state, task->attempt, (char *)NULL);
    dprintf(2, "%s: %s\n", program, strerror(errno));
    _exit(2);
  }
}

/* The message that a program ended with, in one line: from its last "grade: " on. */
static const char *last_message(char *log) {
  char *line = log;
  for (char *at = log; (at = strstr(at, "grade: ")) != NULL; at++)
    if (at == log || at[-1] == '\n') line = at + strlen("grade: ");
  if (line == log && strrchr(log, '\n')) line = strrchr(log, '\n') + 1;
  for (char *at = line; *at; at++)
    if (*at == '\n') *at = ' ';
  return line;
}

/* How it ended, with its last message; the caller's. */
static char *last_words(int log, int status) {
  char buffer[4096] = "";
  off_t end = lseek(log, 0, SEEK_END);
  off_t from = end > (off_t)sizeof buffer - 1 ? end - (off_t)sizeof buffer + 1 : 0;
  ssize_t got = pread(log, buffer, sizeof buffer - 1, from);
  buffer[got > 0 ? got : 0] = '\0';
  for (size_t length = strlen(buffer); length && buffer[length - 1] == '\n';)
    buffer[--length] = '\0';
  const char *line = last_message(buffer);
  freed_by(text_free) struct text clean = {0};
  text_add_printable(&clean, line, strlen(line), true);
  return WIFSIGNALED(status)
             ? xprintf("the task was killed by signal %d (%s)%s%s", WTERMSIG(status),
                       strsignal(WTERMSIG(status)), *line ? ": " : "", text_get(&clean))
         : *line ? xstrdup(text_get(&clean))
                 : xprintf("the task ended with status %d", WEXITSTATUS(status));
}

static void stop_all(struct task *tasks, int count) {
  for (int i = 0; i < count; i++)
    if (tasks[i].pid) kill(tasks[i].pid, SIGTERM); /* which they pass on to what they run */
  for (int i = 0; i < count; i++) {
    if (!tasks[i].pid) continue;
    for (int waited = 0; waitpid(tasks[i].pid, NULL, WNOHANG) == 0 && waited < 300; waited++)
      usleep(10000);
    kill(tasks[i].pid, SIGKILL);
    waitpid(tasks[i].pid, NULL, 0);
  }
}

/* A task has ended: true if it is done with, one way or the other. */
static bool ended(const struct engine_run *run, struct task *task, int status, int *missing) {
  bool there = has_result(run, task->attempt), again = !there && task->tries < TRIES;
  task->pid = 0;
  if (there) {
    run->arrived(run->context, task->attempt);
  } else if (!again) {
    autofree char *words = last_words(task->log, status);
    run->lost(run->context, task->attempt, words);
    ++*missing;
  }
  close(task->log);
  return !again;
}

int engine_local(const struct engine_run *run) {
  sigset_t set, before;
  sigemptyset(&set);
  static const int signals[] = {SIGCHLD, SIGINT, SIGTERM, SIGHUP};
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaddset(&set, signals[i]);
  sigprocmask(SIG_BLOCK, &set, &before);
  int events = signalfd(-1, &set, SFD_CLOEXEC);
  if (events < 0) die("cannot wait for tasks: %s", strerror(errno));
  int jobs = run->jobs < run->count ? run->jobs : run->count, next = 0, running = 0, missing = 0;
  autofree struct task *tasks = xcalloc((size_t)jobs + 1, sizeof *tasks);
  int ending = 0;
  while (!ending && (next < run->count || running > 0)) {
    for (int i = 0; i < jobs && next < run->count; i++) {
      if (tasks[i].pid) continue;
      if (has_result(run, run->attempts[next])) { /* of a run before this one */
        run->arrived(run->context, run->attempts[next++]);
        i--;
        continue;
      }
      tasks[i] = (struct task){.attempt = run->attempts[next++]};
      start(run, &tasks[i], &before);
      running++;
    }
    if (running == 0) continue;
    run->waiting(run->context, running);
    struct signalfd_siginfo info;
    if (read(events, &info, sizeof info) != (ssize_t)sizeof info) continue;
    if (info.ssi_signo != SIGCHLD) ending = (int)info.ssi_signo;
    for (int i = 0; i < jobs && !ending; i++) {
      int status;
      if (!tasks[i].pid || waitpid(tasks[i].pid, &status, WNOHANG) != tasks[i].pid) continue;
      if (ended(run, &tasks[i], status, &missing))
        running--;
      else
        start(run, &tasks[i], &before);
    }
  }
  if (ending) {
    stop_all(tasks, jobs);
    for (int i = 0; i < jobs; i++) /* some may have finished on the way */
      if (tasks[i].attempt && tasks[i].pid && has_result(run, tasks[i].attempt))
        run->arrived(run->context, tasks[i].attempt);
  }
  close(events);
  sigprocmask(SIG_SETMASK, &before, NULL);
  if (ending) {
    run->waiting(run->context, 0);
    run->note(run->context,
              "stopped; what was graded is kept: run the same command again to continue");
    signal(ending, SIG_DFL);
    raise(ending);
  }
  return missing;
}
