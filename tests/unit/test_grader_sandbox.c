/* test_grader_sandbox.c: what a program in the sandbox sees and may do, and what is told of its
 * end, at each level that works here. The attacks themselves are in tests/hostile. */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "grader/base/text.h"
#include "grader/run/work.h"
#include "grader/sandbox/box.h"
#include "grader/sandbox/process.h"
#include "grader/sandbox/sandbox.h"

static struct kit kit;
static const char *work;

/* What a shell in the sandbox is told, and what it has left. */
struct shell {
  const char *script;
  double seconds;
  uint64_t memory_bytes, cpu_seconds, processes;
  char said[4096], made[64];
  struct process_end end;
};

static void run(struct shell *shell) {
  char *folder = xprintf("%s/box", work), *product = xprintf("%s/product", work);
  assert_int_equal(mkdir(folder, 0700), 0);
  int output = memory_file("output"),
      made = open(product, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  assert_true(made >= 0);
  struct sandbox sandbox = {.confinement = CONFINE_TOOLS,
                            .folder = {folder, "/grading/made"},
                            .folder_bytes = 256 << 20,
                            .processes = shell->processes ? shell->processes : 50,
                            .product = "product",
                            .product_fd = made};
  process_run(&(struct process){.argv = (const char *const[]){"/bin/sh", "-c", shell->script, NULL},
                                .environment = (char *[]){(char *)"PATH=/usr/bin:/bin", NULL},
                                .output_fd = output,
                                .sandbox = &sandbox,
                                .wall_seconds = shell->seconds > 0 ? shell->seconds : 20,
                                .cpu_seconds = shell->cpu_seconds,
                                .memory_bytes = shell->memory_bytes,
                                .file_bytes = 1 << 30},
              &shell->end);
  ssize_t got = pread(output, shell->said, sizeof shell->said - 1, 0);
  shell->said[got > 0 ? got : 0] = '\0';
  got = pread(made, shell->made, sizeof shell->made - 1, 0);
  shell->made[got > 0 ? got : 0] = '\0';
  close(output);
  close(made);
  work_remove_folder(folder);
  free(folder);
  free(product);
}

#define RUN(name, ...)               \
  struct shell name = {__VA_ARGS__}; \
  run(&name)

static void tells_how_it_ended(void **state) {
  (void)state;
  RUN(exits, .script = "exit 7");
  assert_int_equal(exits.end.start_error, 0);
  assert_int_equal(exits.end.exit_code, 7);
  assert_int_equal(exits.end.signal, 0);
  RUN(crashes, .script = "kill -SEGV $$; sleep 1");
  assert_int_equal(crashes.end.signal, SIGSEGV);
  RUN(looks_like_it, .script = "exit 139");
  assert_int_equal(looks_like_it.end.signal, 0);
  assert_int_equal(looks_like_it.end.exit_code, 139);
  RUN(computes, .script = "while :; do :; done", .cpu_seconds = 1);
  assert_int_equal(computes.end.signal, SIGXCPU);
  assert_false(computes.end.timed_out);
}

static int count_processes(const char *word) {
  char *command = xprintf("grep -la '%s' /proc/[0-9]*/cmdline 2>/dev/null | wc -l", word);
  FILE *list = popen(command, "r");
  int count = -1;
  assert_int_equal(fscanf(list, "%d", &count), 1);
  pclose(list);
  free(command);
  return count - 2; /* the shell and its grep */
}

static void ends_all_that_it_started(void **state) {
  (void)state;
  RUN(sleeps,
      .script =
          "trap '' TERM HUP; (setsid sleep 31.4159 &) ; (setsid sleep 31.4159 &); sleep 31.4159",
      .seconds = 0.5);
  assert_true(sleeps.end.timed_out);
  assert_true(count_processes("[3]1.4159") <= 0);
  RUN(leaves, .script = "(setsid sleep 31.4159 &) ; exit 0");
  assert_int_equal(leaves.end.exit_code, 0);
  assert_true(count_processes("[3]1.4159") <= 0);
}

static void hands_out_one_plain_file(void **state) {
  (void)state;
  RUN(makes, .script = "echo made >product; echo other >more");
  assert_int_equal(makes.end.exit_code, 0);
  assert_int_equal(makes.end.product_error, 0);
  assert_string_equal(makes.made, "made\n");
  RUN(makes_nothing, .script = ":");
  assert_int_equal(makes_nothing.end.product_error, ENOENT);
  RUN(links, .script = "ln -s /usr/bin/env product");
  assert_int_equal(links.end.product_error, ELOOP);
  assert_string_equal(links.made, "");
  RUN(pipes, .script = "mkfifo product || mkdir product"); /* neither may make the grader wait */
  assert_int_not_equal(pipes.end.product_error, 0);
  RUN(twice, .script = "echo made >product; ln product again");
  assert_int_not_equal(twice.end.product_error, 0);
}

static void sees_no_files_of_ours(void **state) {
  (void)state;
  char *script = xprintf(
      "for file in /etc/passwd /etc/shadow /proc/1/environ %s/Makefile %s/solutions %s; do "
      "ls $file/ 2>/dev/null | head -n 1; head -n 1 $file 2>/dev/null; done; "
      "echo x >%s/owned; echo x >/tmp/../%s/owned; rm -f %s/Makefile; cat /etc/ld.so.cache | wc -c",
      kit.root, kit.root, work, kit.root, work, kit.root);
  RUN(looks, .script = script);
  char *lines = looks.said; /* the shell's own complaints aside */
  assert_null(strstr(lines, "root:"));
  assert_null(strstr(lines, "PATH="));
  assert_null(strstr(lines, "lab1"));
  char *owned = xprintf("%s/owned", work), *kept = kit_path(&kit, "Makefile");
  assert_int_not_equal(access(owned, F_OK), 0);
  assert_int_equal(access(kept, F_OK), 0);
  free(kept);
  free(owned);
  free(script);
}

static void has_no_rights(void **state) {
  (void)state;
  RUN(rights, .script =
                  "id -u; grep -E 'Cap(Eff|Prm|Bnd)|NoNewPrivs|^Seccomp:' /proc/self/status; cat "
                  "/proc/net/dev");
  if (geteuid() == 0) assert_string_not_equal(rights.said, "");
  assert_false(strncmp(rights.said, "0\n", 2) == 0);
  if (sandbox_level() == SANDBOX_LANDLOCK) return; /* which shows it no /proc but its own */
  assert_non_null(strstr(rights.said, "CapEff:\t0000000000000000"));
  assert_non_null(strstr(rights.said, "NoNewPrivs:\t1"));
  assert_non_null(strstr(rights.said, "Seccomp:\t2"));
  assert_null(strstr(rights.said, "eth"));
}

static void has_limits(void **state) {
  (void)state;
  struct cgroup group;
  bool unused;
  cgroup_make(1 << 20, 10, &group);
  bool groups = group.folders[0] != NULL;
  cgroup_remove(&group, &unused);
  if (sandbox_level() == SANDBOX_BUBBLEWRAP) {
    RUN(fills, .script = "yes | head -c 300000000 >big; [ $(wc -c <big) -le $((256 << 20)) ]");
    assert_int_equal(fills.end.exit_code, 0);
  }
  if (sandbox_level() == SANDBOX_BUBBLEWRAP && groups) {
    RUN(takes, .script = "yes | head -c 200000000 >big; exit 0", .memory_bytes = 64 << 20);
    assert_true(takes.end.out_of_memory);
  }
  if (sandbox_level() == SANDBOX_LANDLOCK && geteuid() != 0 && !groups) return;
  RUN(forks, .script = "i=0; while [ $i -lt 100 ]; do sleep 5 & i=$((i+1)); done; echo all",
      .processes = 20);
  assert_null(strstr(forks.said, "all\n"));
}

static void cannot_be_started(void **state) {
  (void)state;
  int output = memory_file("output");
  struct process_end end;
  struct sandbox sandbox = {.confinement = CONFINE_RUNNER};
  process_run(&(struct process){.argv = (const char *const[]){"/usr/no-such-program", NULL},
                                .environment = (char *[]){NULL},
                                .output_fd = output,
                                .sandbox = &sandbox,
                                .wall_seconds = 5},
              &end);
  assert_int_equal(end.start_error, ENOENT);
  close(output);
}

static void users_are_never_shared(void **state) {
  (void)state;
  if (geteuid() != 0) skip();
  struct job_user users[20];
  for (int i = 0; i < 20; i++) {
    job_user_take(&users[i]);
    assert_true(users[i].uid >= 1000);
    for (int j = 0; j < i; j++) assert_true(users[i].uid != users[j].uid);
  }
  for (int i = 0; i < 20; i++) job_user_give_back(&users[i]);
}

/* What ends a job ends all processes of its user, and root sees those in containers. */
static void users_differ_in_a_container(void **state) {
  (void)state;
  if (geteuid() != 0) skip();
  struct job_user here;
  uid_t there = 0;
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  pid_t child = fork();
  if (child == 0) {
    struct job_user user = {0};
    if (unshare(CLONE_NEWPID) != 0) _exit(1);
    if (fork() == 0) {
      job_user_take(&user);
      ssize_t written = write(ends[1], &user.uid, sizeof user.uid);
      _exit(written == sizeof user.uid ? 0 : 1);
    }
    int status;
    _exit(wait(&status) < 0 || status != 0);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  close(ends[1]);
  ssize_t got = read(ends[0], &there, sizeof there);
  close(ends[0]);
  if (status != 0 || got != sizeof there) skip(); /* namespaces are forbidden here */
  job_user_take(&here);
  uid_t between = here.uid > there ? here.uid - there : there - here.uid;
  job_user_give_back(&here);
  if (here.uid > 100000) assert_true(between >= 500);
}

static int at_level(enum sandbox_level level) {
  char *why = sandbox_try(&kit, level);
  if (why) {
    print_message("# %s is not tested: %s\n", sandbox_level_names[level], why);
    free(why);
    return 0;
  }
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(tells_how_it_ended),
      cmocka_unit_test(ends_all_that_it_started),
      cmocka_unit_test(hands_out_one_plain_file),
      cmocka_unit_test(sees_no_files_of_ours),
      cmocka_unit_test(has_no_rights),
      cmocka_unit_test(has_limits),
      cmocka_unit_test(cannot_be_started),
      cmocka_unit_test(users_are_never_shared),
      cmocka_unit_test(users_differ_in_a_container),
  };
  return cmocka_run_group_tests_name(sandbox_level_names[level], tests, NULL, NULL);
}

int main(void) {
  kit.root = realpath(".", NULL);
  work = work_make(&kit);
  int failed = at_level(SANDBOX_BUBBLEWRAP) + at_level(SANDBOX_LANDLOCK);
  free(kit.root);
  return failed != 0;
}
