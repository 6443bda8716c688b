/* slurm_command.c: runs Slurm's programs and collects their output. */
#include "grader/class/engine/slurm_command.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "grader/base/system.h"

extern char **environ;

/* After Ctrl-C: better to let sbatch finish than to end it in the middle. */
static const double LAST_SECONDS = 3;

/* Those that would end us; nohup, for one, ignores SIGHUP. */
static void held(sigset_t *set) {
  static const int signals[] = {SIGINT, SIGTERM, SIGHUP};
  sigemptyset(set);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    struct sigaction action;
    if (sigaction(signals[i], NULL, &action) == 0 && action.sa_handler != SIG_IGN)
      sigaddset(set, signals[i]);
  }
}

void slurm_hold_signals(void) {
  sigset_t set;
  held(&set);
  sigprocmask(SIG_BLOCK, &set, NULL);
}

int slurm_pause(double seconds) {
  sigset_t set;
  held(&set);
  if (seconds < 0) seconds = 0;
  struct timespec time = {(time_t)seconds, (long)((seconds - (double)(time_t)seconds) * 1e9)};
  int signal = sigtimedwait(&set, NULL, &time);
  return signal > 0 ? signal : 0;
}

void slurm_release_signals(int signal) {
  sigset_t set;
  held(&set);
  if (signal) raise(signal); /* held: it acts when the mask goes */
  sigprocmask(SIG_UNBLOCK, &set, NULL);
}

static bool signal_waits(void) {
  sigset_t wanted, waiting, both;
  held(&wanted);
  sigpending(&waiting);
  sigandset(&both, &wanted, &waiting);
  return !sigisemptyset(&both);
}

/* Takes out of the environment what would change what squeue prints, where sbatch submits, or make
 * it wait. Defaults such as SBATCH_ACCOUNT and SBATCH_PARTITION stay. */
static void clean_environment(void) {
  static const char *const names[] = {"SBATCH_WAIT", "SBATCH_CLUSTERS", "SLURM_CLUSTERS",
                                      "SCANCEL_", "SQUEUE_"};
  for (size_t i = 0; environ[i];) {
    size_t length = strcspn(environ[i], "=");
    bool found = false;
    for (size_t k = 0; k < sizeof names / sizeof *names && !found; k++) {
      size_t wanted = strlen(names[k]);
      found = strncmp(environ[i], names[k], wanted) == 0 &&
              (length == wanted || names[k][wanted - 1] == '_');
    }
    if (found) {
      autofree char *name = strndup(environ[i], length);
      if (!name || unsetenv(name) != 0) _exit(127);
      i = 0; /* the list has moved */
    } else {
      i++;
    }
  }
}

/* In the child, with a process group of its own: Ctrl-C is for us, not for an sbatch under way. */
static void become(const char *const *argv, int out, int err) {
  setpgid(0, 0);
  int null = open("/dev/null", O_RDONLY);
  if (null < 0 || dup2(null, 0) < 0 || dup2(out, 1) < 0 || dup2(err, 2) < 0) _exit(127);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, NULL);
  clean_environment();
  execvp(argv[0], (char *const *)argv);
  _exit(127);
}

/* False at the end of the stream. */
static bool take(int fd, struct text *text) {
  char buffer[16384];
  ssize_t got = read(fd, buffer, sizeof buffer);
  if (got > 0) text_append(text, buffer, (size_t)got);
  return got > 0 || (got < 0 && (errno == EINTR || errno == EAGAIN));
}

/* Until both streams have ended or there is a reason to stop the program. */
static void listen_to(int out, int err, double limit, const char *enough,
                      struct slurm_output *output) {
  struct pollfd streams[2] = {{out, POLLIN, 0}, {err, POLLIN, 0}};
  double deadline = clock_seconds() + limit;
  bool hurry = false;
  while (streams[0].fd >= 0 || streams[1].fd >= 0) {
    double now = clock_seconds();
    if (!hurry && signal_waits()) {
      hurry = true;
      if (deadline > now + LAST_SECONDS) deadline = now + LAST_SECONDS;
    }
    if (now >= deadline) {
      output->cut = true;
      return;
    }
    if (poll(streams, 2, 100) <= 0) continue;
    if (streams[0].revents && !take(out, &output->out)) streams[0].fd = -1;
    if (streams[1].revents && !take(err, &output->err)) streams[1].fd = -1;
    if (enough && strstr(text_get(&output->err), enough)) {
      output->cut = true;
      return;
    }
  }
}

void slurm_command(const char *const *argv, double limit, const char *enough,
                   struct slurm_output *output) {
  *output = (struct slurm_output){.status = -1};
  int out[2], err[2];
  if (pipe2(out, O_CLOEXEC) != 0 || pipe2(err, O_CLOEXEC) != 0)
    die("no pipe for %s: %s", argv[0], strerror(errno));
  pid_t pid = fork();
  if (pid < 0) die("cannot start %s: %s", argv[0], strerror(errno));
  if (pid == 0) become(argv, out[1], err[1]);
  setpgid(pid, pid);
  close(out[1]);
  close(err[1]);
  listen_to(out[0], err[0], limit, enough, output);
  if (output->cut) kill(-pid, SIGKILL);
  int status;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) continue;
  if (!output->cut && WIFEXITED(status)) output->status = WEXITSTATUS(status);
  if (output->status == 127 && !output->err.length)
    text_add(&output->err, "%s cannot be started: is it in PATH?", argv[0]);
  close(out[0]);
  close(err[0]);
}

void slurm_output_free(struct slurm_output *output) {
  text_free(&output->out);
  text_free(&output->err);
}

/* Slurm's programs print "sbatch: error: AssocMaxSubmitJobLimit" and "sbatch: error: Batch job
 * submission failed: ...": all lines with "error: "; if there is none, the first one. */
char *slurm_output_reason(const struct slurm_output *output) {
  static const char mark[] = "error: ";
  struct text reason = {0};
  const char *first = NULL;
  size_t first_length = 0;
  for (const char *line = text_get(&output->err); *line;) {
    size_t length = strcspn(line, "\n");
    const char *error = memmem(line, length, mark, strlen(mark));
    if (error) {
      error += strlen(mark);
      if (reason.length) text_add(&reason, "; ");
      text_add_printable(&reason, error, length - (size_t)(error - line), false);
    } else if (length > 0 && !first) {
      first = line;
      first_length = length;
    }
    line += length + (line[length] == '\n');
  }
  if (!reason.length && first) text_add_printable(&reason, first, first_length, false);
  if (!reason.length)
    text_add(&reason, output->cut ? "it did not answer in time" : "no reason given");
  return reason.data;
}
