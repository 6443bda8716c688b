/* process.c: starts, limits and ends a program. */
#include "grader/sandbox/process.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "grader/base/screen.h"
#include "grader/base/system.h"
#include "grader/base/text.h"
#include "grader/sandbox/box.h"
#include "harness/base/pages.h"

extern char **environ;

int high_fd(int fd) {
  int high = fd < 0 ? -1 : fcntl(fd, F_DUPFD_CLOEXEC, 64), error = errno;
  if (fd >= 0) close(fd);
  errno = error;
  return high;
}

int memory_file(const char *name) {
  int fd = high_fd(memfd_create(name, MFD_CLOEXEC));
  if (fd < 0) die("cannot make a memory file: %s", strerror(errno));
  return fd;
}

void high_pipe(int fds[2]) {
  if (pipe2(fds, O_CLOEXEC) != 0 || (fds[0] = high_fd(fds[0])) < 0 ||
      (fds[1] = high_fd(fds[1])) < 0)
    die("cannot make a pipe: %s", strerror(errno));
}

/* A PATH without folders such as /usr/lib/ccache: a clang++ there wants a cache, which is out of a
 * submission's reach, and would fail for what is no fault of the file. Folders of the user's own
 * may be out of reach, too: the system's stand behind them. */
static char *path_inside(const char *variable) {
  struct text kept = {0};
  const char *at = variable + strlen("PATH=");
  text_add(&kept, "PATH=");
  for (size_t length; *at; at += length + (at[length] == ':')) {
    length = strcspn(at, ":");
    if (length >= 7 && strncmp(at + length - 7, "/ccache", 7) == 0) continue;
    text_add(&kept, "%s%.*s", kept.length > 5 ? ":" : "", (int)length, at);
  }
  text_add(&kept, "%s/usr/local/bin:/usr/bin:/bin", kept.length > 5 ? ":" : "");
  return kept.data;
}

char **process_environment(const char *tmpdir) {
  static const char *const kept[] = {
      "PATH=", "LANG=", "LC_ALL=", "CLANGXX=", "KIT_", "ASAN_OPTIONS=", "UBSAN_OPTIONS="};
  size_t count = 0;
  while (environ[count]) count++;
  char **copy = xcalloc(count + 3, sizeof *copy), **at = copy;
  *at++ = xprintf("TMPDIR=%s", tmpdir);
  *at++ = xstrdup(PAGES_VARIABLE "=" PAGES_VALUE);
  for (size_t i = 0; i < count; i++) {
    for (size_t k = 0; k < sizeof kept / sizeof *kept; k++) {
      if (strncmp(environ[i], kept[k], strlen(kept[k])) == 0) {
        *at++ = k == 0 ? path_inside(environ[i]) : xstrdup(environ[i]);
        break;
      }
    }
  }
  return copy;
}

void process_free_environment(char **environment) {
  for (char **at = environment; *at; at++) free(*at);
  free(environment);
}

static void held_signals(sigset_t *set) {
  sigemptyset(set);
  sigaddset(set, SIGINT);
  sigaddset(set, SIGTERM);
  sigaddset(set, SIGHUP);
}

void process_hold_signals(void) {
  sigset_t set;
  held_signals(&set);
  sigprocmask(SIG_BLOCK, &set, NULL);
}

void process_release_signals(void) {
  sigset_t set;
  held_signals(&set);
  sigprocmask(SIG_UNBLOCK, &set, NULL);
}

/* Only returns, with errno set, if it fails. A program that was written just now may still be open
 * in a child of somebody's that is about to become another program: that is waited for. */
static void execute(const struct process *process) {
  enum { TRIES = 100 };
  static const struct timespec pause = {.tv_nsec = 20000000};
  for (int i = 0; i < TRIES; i++) {
    execve(process->argv[0], (char *const *)process->argv, process->environment);
    if (errno != ETXTBSY) return;
    nanosleep(&pause, NULL);
  }
}

/* In the child: everything up to exec. Only returns, with errno set, if something fails. */
static void become(const struct process *process, const struct box *box, pid_t parent) {
  setsid(); /* no terminal: it cannot write to the one of the grader past its output file */
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != parent) _exit(1);
  for (int s = 1; s < 32; s++)
    if (s != SIGKILL && s != SIGSTOP) signal(s, SIG_DFL);
  int input = process->input_fd ? process->input_fd : open("/dev/null", O_RDONLY | O_CLOEXEC),
      errors = process->error_fd ? process->error_fd : process->output_fd;
  if (input < 0 || dup2(input, 0) < 0 || dup2(process->output_fd, 1) < 0 || dup2(errors, 2) < 0)
    return;
  int high[PROCESS_MAX_FDS]; /* first out of the way of each other */
  for (int i = 0; i < process->fd_count; i++)
    if ((high[i] = fcntl(process->fds[i].from, F_DUPFD_CLOEXEC, 64)) < 0) return;
  close_range(3, ~0U, CLOSE_RANGE_CLOEXEC); /* whatever our shell left open */
  for (int i = 0; i < process->fd_count; i++)
    if (dup2(high[i], process->fds[i].to) < 0) return;
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  if (box) {
    box_become(box, process);
    return;
  }
  if (process->directory && chdir(process->directory) != 0) return;
  inside_limit(RLIMIT_CORE, 0, 0);
  if (process->cpu_seconds)
    inside_limit(RLIMIT_CPU, process->cpu_seconds, process->cpu_seconds + 1);
  if (process->file_bytes) inside_limit(RLIMIT_FSIZE, process->file_bytes, process->file_bytes);
  if (process->confined && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0)
    confine_process(CONFINE_GPU); /* best effort */
  if (process->memory_bytes) inside_limit(RLIMIT_AS, process->memory_bytes, process->memory_bytes);
  execute(process);
}

/* The state of a process or thread, and its parent; 0: there is none. */
static char read_stat(const char *path, pid_t *parent) {
  char line[512], state = 0;
  FILE *file = fopen(path, "re");
  const char *name_end = file && fgets(line, sizeof line, file) ? strrchr(line, ')') : NULL;
  if (file) fclose(file);
  return name_end && sscanf(name_end + 1, " %c %d", &state, parent) == 2 ? state : 0;
}

/* A process as /proc has it. */
struct entry {
  pid_t pid, parent;
  bool ours; /* we, or one that we or it has started */
};

/* All processes; the caller's. */
static struct entry *list_processes(int *count) {
  struct entry *list = NULL;
  *count = 0;
  DIR *proc = opendir("/proc");
  for (struct dirent *entry; proc && (entry = readdir(proc)) != NULL;) {
    char path[64];
    if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
    struct entry process = {.pid = (pid_t)atol(entry->d_name)};
    snprintf(path, sizeof path, "/proc/%.20s/stat", entry->d_name);
    read_stat(path, &process.parent);
    *array_add(list, *count) = process;
  }
  if (proc) closedir(proc);
  return list;
}

/* Programs that have been started and not yet been waited for. */
static pid_t under_way_pids[PROCESSES_UNDER_WAY];

/* Puts pid in the place of another: 0 is no program. */
static void exchange_pid(pid_t from, pid_t to) {
  for (int i = 0; i < PROCESSES_UNDER_WAY; i++) {
    if (under_way_pids[i] != from) continue;
    under_way_pids[i] = to;
    return;
  }
  die("more than %d programs at a time", PROCESSES_UNDER_WAY);
}

static bool is_under_way(pid_t pid) {
  for (int i = 0; i < PROCESSES_UNDER_WAY; i++)
    if (under_way_pids[i] == pid) return true;
  return false;
}

static bool any_under_way(void) {
  for (int i = 0; i < PROCESSES_UNDER_WAY; i++)
    if (under_way_pids[i]) return true;
  return false;
}

/* Kills our children that are not under way. False: there is none. (/proc/PID/task/TID/children
 * would be quicker to read, but may leave out one while another ends.) */
static bool kill_children(void) {
  int count;
  autofree struct entry *list = list_processes(&count);
  bool any = false;
  for (int i = 0; i < count; i++) {
    if (list[i].parent != getpid() || is_under_way(list[i].pid)) continue;
    kill(list[i].pid, SIGKILL);
    waitpid(list[i].pid, NULL, WNOHANG);
    any = true;
  }
  return any;
}

/* Whatever the program left running was handed to us (we are a subreaper): kill it, and what it
 * leaves, until nothing is left. */
static void kill_stragglers(void) {
  for (int round = 0; round < 200; round++) {
    if (!any_under_way()) { /* whose status is still wanted */
      while (waitpid(-1, NULL, WNOHANG) > 0) {
      }
      if (waitpid(-1, NULL, WNOHANG) < 0 && errno == ECHILD) return;
    }
    if (!kill_children()) return;
    nanosleep(&(struct timespec){0, 5000000}, NULL);
  }
}

/* Has a thread of the process something to do: does it run, wait for a processor or for a disk? */
static bool is_busy(pid_t pid) {
  char path[64], state = 0;
  pid_t parent;
  snprintf(path, sizeof path, "/proc/%d/task", (int)pid);
  DIR *tasks = opendir(path);
  for (struct dirent *entry; tasks && (entry = readdir(tasks)) != NULL;) {
    if (entry->d_name[0] == '.') continue;
    snprintf(path, sizeof path, "/proc/%d/task/%.20s/stat", (int)pid, entry->d_name);
    state = read_stat(path, &parent);
    if (state == 'R' || state == 'D') break;
  }
  if (tasks) closedir(tasks);
  return state == 'R' || state == 'D';
}

/* Of what we have started, has none anything to do? The device may compute while the runner waits
 * for it, or the other way round. */
static bool all_sleep(void) {
  int count;
  autofree struct entry *list = list_processes(&count);
  for (int i = 0; i < count; i++) list[i].ours = list[i].pid == getpid();
  for (bool more = true; more;) {
    more = false;
    for (int i = 0; i < count; i++)
      for (int j = 0; j < count && !list[i].ours; j++)
        if (list[j].ours && list[j].pid == list[i].parent) list[i].ours = more = true;
  }
  bool busy = false;
  for (int i = 0; i < count && !busy; i++)
    busy = list[i].ours && list[i].pid != getpid() && is_busy(list[i].pid);
  return !busy;
}

/* Waits until the program has ended (it stays a zombie), its time is up or it has slept for too
 * long. Returns the signal that interrupts the grader, or 0. */
static int wait_for(struct process_under_way *under_way, const sigset_t *signals, bool *timed_out) {
  static const double look = 0.5; /* seconds between looks at who sleeps */
  double next_look = clock_seconds() + look;
  pid_t pid = under_way->pid;
  for (;;) {
    siginfo_t info = {0};
    if (waitid(P_PID, (id_t)pid, &info, WEXITED | WNOHANG | WNOWAIT) == 0 && info.si_pid == pid)
      return 0;
    double time = clock_seconds(), left = under_way->may_sleep > 0 ? next_look - time : look;
    if (under_way->may_sleep > 0 && left <= 0) {
      if (all_sleep()) under_way->sleep += look;
      next_look = clock_seconds() + look;
      left = look;
    }
    if (under_way->deadline > 0 && under_way->deadline - time < left)
      left = under_way->deadline - time;
    *timed_out =
        left <= 0 || (under_way->may_sleep > 0 && under_way->sleep >= under_way->may_sleep);
    if (*timed_out) return 0;
    struct timespec timeout = {(time_t)left, (long)((left - (double)(time_t)left) * 1e9)};
    int got = sigtimedwait(signals, NULL, &timeout);
    if (got > 0 && got != SIGCHLD) return got;
  }
}

static _Noreturn void end_interrupted(int signal) {
  for (int i = 0; i < PROCESSES_UNDER_WAY; i++) {
    pid_t pid = under_way_pids[i];
    if (!pid) continue;
    if (kill(-pid, SIGKILL) != 0) kill(pid, SIGKILL); /* it has no session of its own yet */
    waitpid(pid, NULL, 0);                            /* before their folder is removed */
  }
  progress_show(NULL, NULL, 0, 0);
  fputs("grade: interrupted\n", stderr);
  exit(128 + signal);
}

void process_start(const struct process *process, struct process_under_way *under_way) {
  *under_way = (struct process_under_way){0};
  signal(SIGCHLD, SIG_DFL);
  prctl(PR_SET_CHILD_SUBREAPER, 1);
#ifndef __SANITIZE_ADDRESS__ /* its leak check traces the process */
  prctl(PR_SET_DUMPABLE, 0); /* /proc/PID/mem and /proc/PID/fd are not for the program */
#endif
  fflush(NULL);

  int trouble[2]; /* carries errno from the child if exec fails; closes if it does not */
  high_pipe(trouble);
  struct box *box = process->sandbox ? box_open(process) : NULL;
  pid_t parent = getpid(), pid = fork();
  if (pid < 0) die("cannot start a process: %s", strerror(errno));
  if (pid == 0) {
    become(process, box, parent);
    int error = errno;
    (void)!write(trouble[1], &error, sizeof error);
    _exit(127);
  }
  close(trouble[1]);
  int error;
  if (read(trouble[0], &error, sizeof error) == sizeof error) under_way->start_error = error;
  close(trouble[0]);
  under_way->pid = pid;
  under_way->box = box;
  under_way->deadline = process->wall_seconds > 0 ? clock_seconds() + process->wall_seconds : 0;
  under_way->may_sleep = process->sleep_seconds;
  exchange_pid(0, pid);
}

/* Kills and reaps it, and all that it left. Returns its status. */
static int reap(const struct process_under_way *under_way, struct rusage *usage) {
  int status = 0;
  kill(-under_way->pid, SIGKILL);
  kill(under_way->pid, SIGKILL);
  while (wait4(under_way->pid, &status, 0, usage) < 0 && errno == EINTR) {
  }
  exchange_pid(under_way->pid, 0);
  kill_stragglers();
  return status;
}

/* Blocks the signals that a wait takes up, for sigtimedwait; before: what to set again. */
static void block_signals(sigset_t *signals, sigset_t *before) {
  held_signals(signals);
  sigaddset(signals, SIGCHLD);
  sigprocmask(SIG_BLOCK, signals, before);
}

static double seconds_of(const struct timeval *time) {
  return (double)time->tv_sec + (double)time->tv_usec * 1e-6;
}

void process_finish(struct process_under_way *under_way, struct process_end *end) {
  *end = (struct process_end){.start_error = under_way->start_error};
  sigset_t signals, before;
  block_signals(&signals, &before);
  int interrupted = wait_for(under_way, &signals, &end->timed_out);
  struct rusage usage = {0};
  int status = reap(under_way, &usage);
  if (interrupted && under_way->spares_us) {
    end->interrupted = interrupted;
  } else if (interrupted) { /* which leaves nothing behind either */
    if (under_way->box) box_close(under_way->box, status, end);
    end_interrupted(interrupted);
  }
  sigprocmask(SIG_SETMASK, &before, NULL);
  end->peak_bytes = (uint64_t)usage.ru_maxrss * 1024;
  end->cpu_seconds = seconds_of(&usage.ru_utime) + seconds_of(&usage.ru_stime);
  if (under_way->box) {
    box_close(under_way->box, status, end);
    return;
  }
  if (end->timed_out) return;
  if (WIFSIGNALED(status)) end->signal = WTERMSIG(status);
  if (WIFEXITED(status)) end->exit_code = WEXITSTATUS(status);
}

void process_stop(struct process_under_way *under_way, struct process_end *end) {
  struct rusage usage = {0};
  struct process_end unwanted;
  if (!end) end = &unwanted;
  *end = (struct process_end){.timed_out = true};
  int status = reap(under_way, &usage);
  end->cpu_seconds = seconds_of(&usage.ru_utime) + seconds_of(&usage.ru_stime);
  if (under_way->box) box_close(under_way->box, status, end);
}

void process_hurry(struct process_under_way *under_way, double seconds) {
  if (under_way->may_sleep <= 0 || under_way->may_sleep - under_way->sleep > seconds)
    under_way->may_sleep = under_way->sleep + seconds;
}

void process_run(const struct process *process, struct process_end *end) {
  sigset_t signals, before;
  block_signals(&signals, &before);
  struct process_under_way under_way;
  process_start(process, &under_way);
  process_finish(&under_way, end);
  sigprocmask(SIG_SETMASK, &before, NULL);
}

char *process_output(struct process process, struct process_end *end) {
  enum { MAX = 16 << 20 };
  char **environment = process_environment("/tmp");
  process.environment = environment;
  process.output_fd = memory_file("output");
  process_run(&process, end);
  struct text text = {0};
  read_all(process.output_fd, MAX, &text);
  close(process.output_fd);
  process_free_environment(environment);
  return text_take(&text);
}

void process_pause(double seconds) {
  sigset_t signals, before;
  block_signals(&signals, &before);
  sigdelset(&signals, SIGCHLD);
  struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  int got = sigtimedwait(&signals, NULL, &time);
  if (got > 0) end_interrupted(got);
  sigprocmask(SIG_SETMASK, &before, NULL);
}

const char *signal_in_words(int signal) {
  static const char crashed[] =
      "it crashed in host code (segmentation fault): an address that is not the program's; "
      "a device pointer must not be dereferenced on the host";
  static const struct {
    int signal;
    const char *words;
  } known[] = {
      {SIGSEGV, crashed},
      {SIGBUS, crashed},
      {SIGFPE, "it crashed in host code: division by zero"},
      {SIGABRT,
       "it stopped itself (abort): a failed assertion, an uncaught exception or a "
       "damaged heap"},
      {SIGILL, "it crashed in host code: a function without a return value, or built to trap"},
      {SIGKILL, "it was killed: by itself, or because the machine ran out of memory"},
      {SIGXCPU, "it used up its processor time"},
      {SIGXFSZ, "it wrote far too much output"},
      {SIGPIPE, "it was ended by a broken pipe"},
  };
  for (size_t i = 0; i < sizeof known / sizeof *known; i++)
    if (known[i].signal == signal) return known[i].words;
  return "it was ended by a signal";
}

char *program_find(const char *name) {
  const char *path = getenv("PATH");
  char *copy = xstrdup(path ? path : "/usr/local/bin:/usr/bin:/bin"), *rest = copy, *folder,
       *found = NULL;
  while (!found && (folder = strsep(&rest, ":")) != NULL) {
    char *candidate = xprintf("%s/%s", *folder ? folder : ".", name);
    if (access(candidate, X_OK) == 0)
      found = candidate;
    else
      free(candidate);
  }
  free(copy);
  return found;
}
