/* box.c: sets up one sandbox, enters it, and clears it away. sandbox.c has the theory. */
#include "grader/sandbox/box.h"

#include <dirent.h>
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <unistd.h>

#include "grader/base/text.h"

enum { STATUS_FD = 40, PRODUCT_FD, MAX_WORDS = 320 };

struct box {
  enum sandbox_level level;
  struct system_paths system;
  struct job_user user;
  struct cgroup cgroup;
  int status[2]; /* a pipe, from launch; -1: none */
  char *words[MAX_WORDS + 1];
  int word_count;
  char *product; /* at levels without files of their own: the path */
  int product_fd;
  uint64_t product_bytes;
};

/* --- bubblewrap's command line --- */

__attribute__((format(printf, 2, 3))) static void word(struct box *box, const char *format, ...) {
  if (box->word_count == MAX_WORDS) die("too many words for bwrap");
  va_list args;
  va_start(args, format);
  box->words[box->word_count++] = xvprintf(format, args);
  va_end(args);
}

/* An option and its number. */
static void option(struct box *box, const char *name, uint64_t number) {
  word(box, "%s", name);
  word(box, "%llu", (unsigned long long)number);
}

#define WORDS(box, ...)                                                               \
  do {                                                                                \
    const char *const list[] = {__VA_ARGS__};                                         \
    for (size_t i = 0; i < sizeof list / sizeof *list; i++) word(box, "%s", list[i]); \
  } while (0)

/* bwrap would make the folders above a mount for root alone. */
static void make_parents(struct box *box, const char *path) {
  for (const char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
    int length = (int)(slash - path);
    bool there = false;
    for (int i = 1; i < box->word_count && !there; i++)
      there = strcmp(box->words[i - 1], "--dir") == 0 &&
              strncmp(box->words[i], path, (size_t)length) == 0 && !box->words[i][length];
    if (there) continue;
    word(box, "--dir");
    word(box, "%.*s", length, path);
  }
}

static void mount(struct box *box, const char *how, const char *path, const char *inside) {
  make_parents(box, inside);
  WORDS(box, how, path, inside);
}

static void mount_system(struct box *box) {
  for (char **at = box->system.read; *at; at++) {
    char target[4096];
    ssize_t length = readlink(*at, target, sizeof target - 1);
    if (length > 0 && strchr(*at + 1, '/') == NULL) { /* /lib, which is /usr/lib */
      target[length] = '\0';
      WORDS(box, "--symlink", target, *at);
    } else if (strncmp(*at, "/dev/", 5) == 0) {
      mount(box, "--dev-bind", *at, *at);
    } else {
      mount(box, "--ro-bind", *at, *at);
    }
  }
  WORDS(box, "--proc", "/proc");
  for (char **at = box->system.devices; *at; at++) mount(box, "--dev-bind", *at, *at);
}

/* The limit goes by user; since Linux 5.14 by user and namespace. One who is not ours alone may
 * well have more processes elsewhere. */
static uint64_t process_limit(const struct box *box, const struct sandbox *sandbox) {
  struct utsname system;
  int major = 0, minor = 0;
  if (box->user.uid) return sandbox->processes;
  if (uname(&system) != 0 || sscanf(system.release, "%d.%d", &major, &minor) != 2) return 0;
  return major > 5 || (major == 5 && minor >= 14) ? sandbox->processes : 0;
}

/* The folder in which the program starts. */
static const char *start_in(const struct sandbox *sandbox, const char *otherwise) {
  return sandbox->shared        ? sandbox->shared
         : sandbox->folder.path ? sandbox->folder.inside
                                : otherwise;
}

static void command_line(struct box *box, const struct process *process) {
  const struct sandbox *sandbox = process->sandbox;
  enum { TMP_BYTES = 16 << 20 };
  WORDS(box, sandbox_state.bwrap, "--unshare-pid", "--unshare-net", "--unshare-ipc",
        "--unshare-uts", "--unshare-cgroup-try", "--hostname", "sandbox", "--die-with-parent",
        "--new-session", "--as-pid-1", "--cap-drop", "ALL");
  if (box->user.uid) /* launch changes to that user, which then has a user namespace of its own */
    WORDS(box, "--cap-add", "CAP_SETUID", "--cap-add", "CAP_SETGID", "--cap-add", "CAP_SETPCAP");
  else
    WORDS(box, "--unshare-user");
  mount_system(box);
  option(box, "--size", TMP_BYTES);
  WORDS(box, "--perms", "1777", "--tmpfs", "/tmp");
  for (int i = 0; i < sandbox->path_count; i++)
    mount(box, "--ro-bind-try", sandbox->paths[i].path, sandbox->paths[i].inside);
  if (sandbox->folder.path) {
    option(box, "--size", sandbox->folder_bytes);
    WORDS(box, "--perms", "1777", "--tmpfs", sandbox->folder.inside);
  }
  if (sandbox->shared) mount(box, "--bind", sandbox->shared, sandbox->shared);
  mount(box, "--ro-bind", sandbox_state.launch, "/grading/launch");
  WORDS(box, "--remount-ro", "/", "--chdir", start_in(sandbox, "/tmp"), "--", "/grading/launch");
  option(box, "--status", STATUS_FD);
  const struct {
    const char *name;
    uint64_t value;
  } numbers[] = {{"--uid", box->user.uid},
                 {"--cpu", process->cpu_seconds},
                 {"--memory", process->memory_bytes},
                 {"--file", process->file_bytes},
                 {"--processes", process_limit(box, sandbox)},
                 {"--confine", sandbox->confinement}};
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
    if (numbers[i].value) option(box, numbers[i].name, numbers[i].value);
  if (sandbox_state.landlock) WORDS(box, "--landlock", "--write", "/tmp");
  if (sandbox->folder.path) WORDS(box, "--write", sandbox->folder.inside);
  if (sandbox->shared) WORDS(box, "--write", sandbox->shared);
  for (char **at = box->system.devices; *at; at++) WORDS(box, "--write", *at);
  if (sandbox->product) {
    word(box, "--product");
    word(box, "%s/%s", sandbox->folder.inside, sandbox->product);
    option(box, "--product-to", PRODUCT_FD);
  }
  word(box, "--");
  for (const char *const *at = process->argv; *at; at++) word(box, "%s", *at);
  box->words[box->word_count] = NULL;
}

/* --- before --- */

struct box *box_open(const struct process *process) {
  const struct sandbox *sandbox = process->sandbox;
  struct box *box = xcalloc(1, sizeof *box);
  *box = (struct box){.level = sandbox_level(), .status = {-1, -1}, .product_fd = -1};
  if (box->level != SANDBOX_NONE) job_user_take(&box->user);
  cgroup_make(process->memory_bytes, sandbox->processes, &box->cgroup);
  system_paths_list(sandbox->confinement == CONFINE_TOOLS, sandbox->confinement == CONFINE_GPU,
                    &box->system);
  if (sandbox->product) {
    box->product_fd = sandbox->product_fd;
    box->product_bytes = process->file_bytes;
  }
  if (box->level == SANDBOX_BUBBLEWRAP) {
    high_pipe(box->status);
    command_line(box, process);
    return box;
  }
  if (sandbox->folder.path && box->user.uid &&
      chown(sandbox->folder.path, box->user.uid, box->user.uid) != 0)
    die("%s: %s", sandbox->folder.path, strerror(errno));
  if (sandbox->product) box->product = xprintf("%s/%s", sandbox->folder.path, sandbox->product);
  return box;
}

/* --- the child --- */

static void become_launch(const struct box *box, const struct process *process) {
  if (dup2(box->status[1], STATUS_FD) < 0) return;
  if (box->product_fd >= 0 && dup2(box->product_fd, PRODUCT_FD) < 0) return;
  execve(box->words[0], box->words, process->environment);
}

/* Threads that a user has just now, of all programs that may be looked at. */
static uint64_t threads_of(uid_t uid) {
  uint64_t threads = 0;
  DIR *proc = opendir("/proc");
  for (struct dirent *entry; proc && (entry = readdir(proc)) != NULL;) {
    struct stat tasks;
    char path[64];
    if (entry->d_name[0] < '1' || entry->d_name[0] > '9') continue;
    snprintf(path, sizeof path, "/proc/%.20s/task", entry->d_name);
    if (stat(path, &tasks) == 0 && tasks.st_uid == uid && tasks.st_nlink > 2)
      threads += tasks.st_nlink - 2; /* a folder for each */
  }
  if (proc) closedir(proc);
  return threads;
}

/* The limit goes by user: for one who is not the submission's alone it is what the user has, and so
 * many more. Only on the simulator's runners, which need no threads of their own: elsewhere what
 * one submission takes another would lack. */
static uint64_t thread_limit(const struct box *box, const struct sandbox *sandbox) {
  if (box->user.uid || !sandbox->processes) return sandbox->processes;
  return sandbox->confinement == CONFINE_RUNNER ? threads_of(getuid()) + sandbox->processes : 0;
}

static void become_program(const struct box *box, const struct process *process) {
  const struct sandbox *sandbox = process->sandbox;
  enum { MAX = 64 };
  const char *readable[MAX + 1] = {"/proc/self"}, *writable[MAX + 2] = {NULL};
  int count = 1, writable_count = 0;
  for (char *const *at = box->system.read; *at && count < MAX; at++) readable[count++] = *at;
  for (int i = 0; i < sandbox->path_count && count < MAX; i++)
    readable[count++] = sandbox->paths[i].path;
  for (char *const *at = box->system.devices; *at; at++) writable[writable_count++] = *at;
  if (sandbox->folder.path) writable[writable_count++] = sandbox->folder.path;
  if (sandbox->shared) writable[writable_count++] = sandbox->shared;
  const char *step, *directory = sandbox->shared        ? sandbox->shared
                                 : sandbox->folder.path ? sandbox->folder.path
                                                        : process->directory;
  if (directory && chdir(directory) != 0) return;
  if (inside_enter(&(struct inside){.uid = box->user.uid,
                                    .cpu_seconds = process->cpu_seconds,
                                    .memory_bytes = process->memory_bytes,
                                    .file_bytes = process->file_bytes,
                                    .processes = thread_limit(box, sandbox),
                                    .confinement = sandbox->confinement,
                                    .landlock = box->level == SANDBOX_LANDLOCK,
                                    .readable = readable,
                                    .writable = writable,
                                    .best_effort = box->level == SANDBOX_NONE},
                   &step) == 0)
    execve(process->argv[0], (char *const *)process->argv, process->environment);
}

void box_become(const struct box *box, const struct process *process) {
  cgroup_enter(&box->cgroup);
  if (box->level == SANDBOX_BUBBLEWRAP)
    become_launch(box, process);
  else
    become_program(box, process);
}

/* --- afterwards --- */

/* What launch has reported. */
static void read_status(const struct box *box, int status, struct process_end *end) {
  close(box->status[1]);
  struct launch_status record;
  bool ended = false, started = true;
  while (read(box->status[0], &record, sizeof record) == sizeof record) {
    if (record.event == LAUNCH_FAILED) {
      started = false;
      end->start_error = record.number ? record.number : EPERM;
    } else if (record.event == LAUNCH_PRODUCT) {
      end->product_error = record.number;
    } else if (record.event == LAUNCH_ENDED) {
      ended = true;
      end->peak_bytes = record.peak_bytes;
      if (WIFSIGNALED(record.number)) end->signal = WTERMSIG(record.number);
      if (WIFEXITED(record.number)) end->exit_code = WEXITSTATUS(record.number);
    }
  }
  close(box->status[0]);
  if (ended || !started || end->timed_out) return;
  if (WIFSIGNALED(status)) /* the machine ran out of memory, or somebody ended the sandbox */
    end->signal = WTERMSIG(status);
  else if (WEXITSTATUS(status) > 128 && WEXITSTATUS(status) < 192)
    end->signal = WEXITSTATUS(status) - 128; /* that of launch, as bwrap reports it */
  else
    end->start_error = ENOEXEC; /* bwrap's words are in the output */
}

void box_close(struct box *box, int status, struct process_end *end) {
  job_user_end(&box->user, box->level == SANDBOX_BUBBLEWRAP);
  if (box->level == SANDBOX_BUBBLEWRAP) {
    read_status(box, status, end);
  } else {
    if (WIFSIGNALED(status)) end->signal = WTERMSIG(status);
    if (WIFEXITED(status)) end->exit_code = WEXITSTATUS(status);
    if (box->product && !end->timed_out && !end->start_error && status == 0)
      end->product_error = inside_fetch(box->product, box->product_fd, box->product_bytes);
  }
  if (!end->start_error && box->level == sandbox_state.level) sandbox_state.works = true;
  cgroup_remove(&box->cgroup, &end->out_of_memory);
  job_user_give_back(&box->user);
  system_paths_free(&box->system);
  for (int i = 0; i < box->word_count; i++) free(box->words[i]);
  free_all(box->product, box);
}
