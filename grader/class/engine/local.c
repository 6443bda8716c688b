/* local.c: the engine for this machine: `jobs` workers, each with a task at a time.
 *
 * A worker (./grade task STATE -) gets an attempt's name and answers when its task has ended; tasks
 * have processes of their own (task_worker.c). One that died without a result (the machine killed
 * it, it ran out of memory) is run once more, by a new worker if that died, too. Every worker is
 * asked to die with us (PR_SET_PDEATHSIG), a task with its worker, and what it runs dies with it in
 * the same way or by its own supervision. */
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/base/system.h"
#include "grader/base/text.h"
#include "grader/class/engine/engine.h"
#include "grader/sandbox/process.h"

enum { TRIES = 2 };
static const double stop_seconds = 3; /* that tasks have to clear up after themselves */

struct worker {
  pid_t pid;           /* 0: none is running */
  int line;            /* to it and from it: its stdin and stdout */
  int log;             /* 0: none yet; what worker and task print, of this task alone */
  const char *attempt; /* NULL: idle */
  int tries;           /* at that attempt */
};

struct local {
  const struct engine_run *run;
  struct worker *workers; /* one for each job */
  int jobs, next, missing;
  sigset_t before; /* what is blocked where tasks start */
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

static void start(const struct engine_run *run, struct worker *worker, const sigset_t *before) {
  autofree char *program = xprintf("%s/build/grade", run->root);
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
    die("cannot talk to a task: %s", strerror(errno));
  worker->line = ends[0];
  pid_t parent = getpid();
  worker->pid = fork();
  if (worker->pid < 0) die("cannot start a task: %s", strerror(errno));
  if (worker->pid == 0) {
    prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (getppid() != parent) _exit(2);
    setpgid(0, 0); /* Ctrl-C reaches the collector only, which ends the tasks */
    sigprocmask(SIG_SETMASK, before, NULL);
    dup2(ends[1], 0);
    dup2(ends[1], 1);
    dup2(worker->log, 2);
    setenv("KIT_ROOT", run->root, 1);
    share_cores(run->jobs);
    execl(program, program, "task", run->state, "-", (char *)NULL);
    dprintf(2, "%s: %s\n", program, strerror(errno));
    _exit(2);
  }
  setpgid(worker->pid, worker->pid); /* whoever is first */
  close(ends[1]);
}

/* Ends a worker, and its task if that has not. Returns its status. */
static int reap(struct worker *worker) {
  int status = 0;
  kill(-worker->pid, SIGKILL);
  close(worker->line);
  while (waitpid(worker->pid, &status, 0) < 0 && errno == EINTR) continue;
  worker->pid = 0;
  return status;
}

/* Has a worker grade its attempt. */
static void give(const struct engine_run *run, struct worker *worker, const sigset_t *before) {
  if (!worker->log) worker->log = memory_file("task");
  (void)!ftruncate(worker->log, 0);
  lseek(worker->log, 0, SEEK_SET); /* the worker's descriptor is at the same place */
  if (!worker->pid) start(run, worker, before);
  worker->tries++;
  autofree char *name = xprintf("%s\n", worker->attempt);
  /* If it has died meanwhile, the line has ended, which is taken up like any other end. */
  (void)!send(worker->line, name, strlen(name), MSG_NOSIGNAL);
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

/* Ends all workers and their tasks, which first clear up after themselves. */
static void stop_all(const struct local *local) {
  for (int i = 0; i < local->jobs; i++)
    if (local->workers[i].pid) kill(-local->workers[i].pid, SIGTERM);
  double until = clock_seconds() + stop_seconds;
  for (int i = 0; i < local->jobs; i++) {
    struct worker *worker = &local->workers[i];
    if (!worker->pid) continue;
    char answer[64];
    struct pollfd line = {.fd = worker->line, .events = POLLIN};
    for (double left; (left = until - clock_seconds()) > 0;)
      if (poll(&line, 1, (int)(left * 1000) + 1) > 0 &&
          recv(line.fd, answer, sizeof answer, 0) <= 0)
        break; /* closed by the worker and by its task */
    reap(worker);
  }
}

/* Reads how a worker's task has ended into *status: as of wait(). False: the worker is gone, too,
 * and so is the task. */
static bool read_answer(struct worker *worker, int *status) {
  char answer[64] = "", name[20];
  ssize_t got = recv(worker->line, answer, sizeof answer - 1, 0);
  return got > 0 && sscanf(answer, "%19s %d", name, status) == 2 &&
         strcmp(name, worker->attempt) == 0;
}

/* Gives an idle worker the next attempt that has no result yet, if there is one. */
static void give_next(struct local *local, struct worker *worker) {
  const struct engine_run *run = local->run;
  while (local->next < run->count && !worker->attempt) {
    const char *attempt = run->attempts[local->next++];
    if (has_result(run, attempt)) { /* of a run before this one */
      run->arrived(run->context, attempt);
      continue;
    }
    worker->attempt = attempt;
    worker->tries = 0;
    give(run, worker, &local->before);
  }
}

/* Something has come from a busy worker: its task has ended, or both have. */
static void take_end(struct local *local, struct worker *worker) {
  const struct engine_run *run = local->run;
  const char *attempt = worker->attempt;
  int status;
  if (!read_answer(worker, &status)) status = reap(worker);
  bool there = has_result(run, attempt);
  if (!there && worker->tries < TRIES) {
    give(run, worker, &local->before);
    return;
  }
  autofree char *words = there ? NULL : last_words(worker->log, status);
  worker->attempt = NULL;
  give_next(local, worker); /* it works while the result is merged */
  if (there) {
    run->arrived(run->context, attempt);
  } else {
    run->lost(run->context, attempt, words);
    local->missing++;
  }
}

/* Waits until something comes from a worker or for us. Returns a signal that is to end us, or 0. */
static int serve(struct local *local, int events) {
  int jobs = local->jobs, ending = 0;
  autofree struct pollfd *lines = xcalloc((size_t)jobs + 1, sizeof *lines);
  for (int i = 0; i <= jobs; i++)
    lines[i] = (struct pollfd){.fd = i == jobs                   ? events
                                     : local->workers[i].attempt ? local->workers[i].line
                                                                 : -1,
                               .events = POLLIN};
  if (poll(lines, (nfds_t)jobs + 1, -1) <= 0) return 0;
  struct signalfd_siginfo info;
  if (lines[jobs].revents && read(events, &info, sizeof info) == (ssize_t)sizeof info)
    ending = (int)info.ssi_signo;
  for (int i = 0; i < jobs && !ending; i++)
    if (lines[i].revents) take_end(local, &local->workers[i]);
  return ending;
}

static int count_busy(const struct local *local) {
  int busy = 0;
  for (int i = 0; i < local->jobs; i++) busy += local->workers[i].attempt != NULL;
  return busy;
}

int engine_local(const struct engine_run *run) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  struct local local = {.run = run, .jobs = run->jobs < run->count ? run->jobs : run->count};
  sigset_t set;
  sigemptyset(&set);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) sigaddset(&set, signals[i]);
  sigprocmask(SIG_BLOCK, &set, &local.before);
  int events = signalfd(-1, &set, SFD_CLOEXEC), ending = 0;
  if (events < 0) die("cannot wait for tasks: %s", strerror(errno));
  autofree struct worker *workers = local.workers =
      xcalloc((size_t)local.jobs + 1, sizeof *workers);
  for (int i = 0; i < local.jobs; i++) give_next(&local, &workers[i]);
  for (int busy; !ending && (busy = count_busy(&local)) > 0;) {
    run->waiting(run->context, busy);
    ending = serve(&local, events);
  }
  if (ending) stop_all(&local);
  for (int i = 0; i < local.jobs; i++) {
    const struct worker *worker = &workers[i];
    if (worker->attempt && has_result(run, worker->attempt)) /* it has finished on the way */
      run->arrived(run->context, worker->attempt);
    if (worker->pid) reap(&workers[i]);
    if (worker->log) close(worker->log);
  }
  close(events);
  sigprocmask(SIG_SETMASK, &local.before, NULL);
  if (ending) {
    run->waiting(run->context, 0);
    run->note(run->context,
              "stopped; what was graded is kept: run the same command again to continue");
    signal(ending, SIG_DFL);
    raise(ending);
  }
  return local.missing;
}
