/* sandbox.c: finds the best sandbox that works here.
 *
 * Theory of operation. A submission is somebody else's program: what compiles it reads hostile
 * text, and what it compiles to does whatever it likes. Both run as a process (process.c) in a box
 * (box.c) that is made new for each and holds nothing of what the one before has done. Levels:
 *
 * bubblewrap  A system of its own: bwrap mounts the system's programs and libraries, read-only, and
 *             the files that struct sandbox names; of all others not even the names are there. /tmp
 *             and the folder to write in are memory of limited size. The program has its own
 *             processes, network (none), hostname and System V memory. Process 1 in there is launch
 *             (launch/launch.c): it starts the program, confined as below, reports how it ended,
 *             and hands out the one file that a build makes. When bwrap or launch ends, the kernel
 *             ends everything in there.
 * landlock    No namespaces: the files are the machine's, but the kernel's Landlock lets only those
 *             be opened that the box names. Names and sizes of other files can be asked for.
 * none        The limits of process.h, and the filter if there is one. Only by --unsafe.
 *
 * At the first two the program cannot gain privileges (no_new_privs), has no capabilities, and is
 * under a seccomp filter (confine.c). If the grader is root it is a user of its own (job_user.c),
 * in a user namespace of its own where the kernel has them. Its memory and processes are those of a
 * control group where one can be made (cgroup.c), else there are limits on each process.
 *
 * Which level works is found by running a program at it: the versions, the settings of kernels and
 * of containers that prevent one are too many to know. That is the first compiler, at the best
 * level whose parts are there: only if it cannot be started are the levels tried one by one, with a
 * program of the kit's, and a lower one is taken if none above it works. What a build or a run gets
 * to see is up to who starts it (build.c, execute.c, stopwatch.c). */
#include "grader/sandbox/sandbox.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/file.h"
#include "grader/base/text.h"
#include "grader/sandbox/box.h"
#include "grader/sandbox/inside.h"
#include "grader/sandbox/process.h"

const char *const sandbox_level_names[SANDBOX_LEVELS] = {"none", "landlock", "bubblewrap"};
struct sandbox_state sandbox_state;

enum sandbox_level sandbox_level(void) { return sandbox_state.level; }

const char *sandbox_inside(const struct sandbox_path *path) {
  return sandbox_state.level == SANDBOX_BUBBLEWRAP ? path->inside : path->path;
}

/* Runs the compile script at the level that is set, as a build would, but only for its usage. */
static char *try_program(const struct kit *kit) {
  autofree char *harness = real_path(kit_path(kit, "harness"));
  struct sandbox_path path = {harness, harness};
  char *script = xprintf("%s/compile", sandbox_inside(&path)), *why = NULL;
  struct sandbox sandbox = {.confinement = CONFINE_TOOLS, .paths = &path, .path_count = 1};
  struct process_end end;
  autofree char *printed =
      process_output((struct process){.argv = (const char *const[]){script, "--help", NULL},
                                      .sandbox = &sandbox,
                                      .wall_seconds = 10},
                     &end);
  printed[strcspn(printed, "\n")] = '\0';
  if (end.start_error == EACCES && geteuid() == 0)
    why = xprintf(
        "submissions run as a user of their own, who cannot read %s: all users must be able "
        "to read it, and to pass the folders above it",
        harness);
  else if (*printed && (end.start_error || end.signal || end.timed_out || end.exit_code))
    why = xstrdup(printed);
  else if (end.start_error)
    why = xprintf("%s: %s", script, strerror(end.start_error));
  else if (end.signal || end.timed_out || end.exit_code)
    why = xprintf("%s: ended with status %d, signal %d", script, end.exit_code, end.signal);
  free(script);
  return why;
}

/* Takes one level. NULL, or why it does not work: what it needs is missing or, if it is to be
 * tried, a program cannot be started at it. */
static char *take_level(const struct kit *kit, enum sandbox_level level, bool try) {
  struct sandbox_state before = sandbox_state;
  char *why = NULL;
  sandbox_state = (struct sandbox_state){
      .level = level, .landlock = landlock_version() > 0, .unsafe = before.unsafe};
  if (level == SANDBOX_BUBBLEWRAP) {
    sandbox_state.bwrap = program_find("bwrap");
    sandbox_state.launch = kit_path(kit, "build/launch");
    if (!sandbox_state.bwrap)
      why = xstrdup("bwrap is missing: ./setup installs it");
    else if (access(sandbox_state.launch, X_OK) != 0)
      why = xprintf("%s is missing: make grade", sandbox_state.launch);
  } else if (level == SANDBOX_LANDLOCK && !sandbox_state.landlock) {
    why = xstrdup("this kernel has no Landlock, or it is switched off: lsm=landlock,... at boot");
  }
  if (!why && try && level != SANDBOX_NONE) why = try_program(kit);
  struct sandbox_state *unused = why ? &sandbox_state : &before;
  free_all(unused->bwrap, unused->launch);
  if (why) sandbox_state = before;
  return why;
}

char *sandbox_try(const struct kit *kit, enum sandbox_level level) {
  return take_level(kit, level, true);
}

static _Noreturn void refuse(char *const *why, const char *forced) {
  note("grade: there is no sandbox to run a submission in%s%s:",
       forced ? ", with KIT_SANDBOX=" : "", forced ? forced : "");
  for (int level = SANDBOX_LEVELS - 1; level > SANDBOX_NONE; level--)
    if (why[level]) note("  %s: %s", sandbox_level_names[level], why[level]);
  note(
      "./setup installs bubblewrap, which needs user namespaces (or to be root); Linux has "
      "Landlock from 5.13 on.");
  note(
      "--unsafe continues without one: the file could then read, change and delete whatever you "
      "can. That is fine for your own file, and for any file on a machine that is thrown away "
      "afterwards.");
  exit(2);
}

/* Takes the best level that works, or whose parts are there. */
static void take_best(const struct kit *kit, bool try) {
  const char *forced = getenv("KIT_SANDBOX");
  if (forced && !*forced) forced = NULL;
  char *why[SANDBOX_LEVELS] = {NULL};
  bool known = !forced, found = false;
  for (int level = SANDBOX_LEVELS - 1; level >= SANDBOX_NONE && !found; level--) {
    if (forced && strcmp(forced, sandbox_level_names[level]) != 0) continue;
    known = true;
    if (level == SANDBOX_NONE && !sandbox_state.unsafe) continue;
    why[level] = take_level(kit, (enum sandbox_level)level, try);
    found = !why[level];
  }
  if (!known) die("KIT_SANDBOX=%s: it is one of bubblewrap, landlock, none", forced);
  if (!found) refuse(why, forced);
  if (sandbox_state.level == SANDBOX_NONE)
    note("grade: no sandbox: the file runs with all your permissions.");
  for (int level = 0; level < SANDBOX_LEVELS; level++) free(why[level]);
  sandbox_state.open = true;
}

void sandbox_open(const struct kit *kit, bool unsafe) {
  if (sandbox_state.open) return;
  sandbox_state.unsafe = unsafe;
  take_best(kit, false);
}

void sandbox_doubt(const struct kit *kit) {
  if (!sandbox_state.works) take_best(kit, true);
  sandbox_state.works = true;
}
