/* doctor.c: ./grade doctor: looks for what the kit needs on this machine. */
#include "grader/commands/commands.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/text.h"
#include "grader/sandbox/box.h"
#include "grader/sandbox/process.h"
#include "grader/sandbox/sandbox.h"

static char *find_clang(void) {
  char *found = program_find("clang++");
  for (int version = 30; version >= 14 && !found; version--) {
    autofree char *name = xprintf("clang++-%d", version);
    found = program_find(name);
  }
  return found;
}

static int print_finding(bool good, const char *what, const char *detail, const char *remedy) {
  if (good)
    printf("  ok       %-22s %s\n", what, detail);
  else
    printf("  MISSING  %-22s %s\n", what, remedy);
  return good ? 0 : 1;
}

static int check_clang(void) {
  autofree char *clang = find_clang();
  int missing = print_finding(clang != NULL, "clang++ (14 or later)", clang ? clang : "",
                              "sudo apt-get install clang");
  if (clang) {
    struct process_end end;
    autofree char *targets = process_output(
        (struct process){.argv = (const char *const[]){clang, "--print-targets", NULL},
                         .wall_seconds = 20},
        &end);
    missing += print_finding(strstr(targets, "nvptx64") != NULL, "clang's NVPTX target", "nvptx64",
                             "this clang cannot make PTX: sudo apt-get install clang");
  }
  return missing;
}

static int check_program(const char *name, const char *package) {
  autofree char *path = program_find(name), *remedy = xprintf("sudo apt-get install %s", package);
  return print_finding(path != NULL, name, path ? path : "", remedy);
}

static int check_header(const char *header, const char *what, const char *package) {
  autofree char *plain = xprintf("/usr/include/%s", header),
                *local = xprintf("/usr/local/include/%s", header),
                *remedy = xprintf("sudo apt-get install %s", package);
  bool there = access(plain, R_OK) == 0;
  return print_finding(there || access(local, R_OK) == 0, what, there ? plain : local, remedy);
}

/* The best level that works, and why those above it do not. */
static int check_sandbox(const struct kit *kit) {
  static const char *const words[SANDBOX_LEVELS] = {
      "", "a filter of system calls and files; the machine's processes and file names are visible",
      "a system of its own, with nothing of yours in it"};
  printf("\nSandbox, in which submissions are built and run:\n");
  int level = SANDBOX_LEVELS - 1;
  for (; level > SANDBOX_NONE; level--) {
    char *why = sandbox_try(kit, (enum sandbox_level)level);
    print_finding(!why, sandbox_level_names[level], words[level], why);
    free(why);
    if (!why) break;
  }
  if (level == SANDBOX_NONE) printf("  Only --unsafe builds and runs a file here.\n");
  autofree char *groups = cgroup_describe();
  printf("  Control groups, for limits on memory and processes: %s\n", groups);
  if (geteuid() == 0) printf("  Each submission runs as a user of its own, as you are root.\n");
  return level == SANDBOX_NONE;
}

int doctor(const struct kit *kit) {
  printf("The kit in %s\n\nNeeded:\n", kit->root);
  int missing = check_clang();
  missing += check_program("cc", "gcc");
  missing += check_program("make", "make");
  missing += check_header("stdlib.h", "C library headers", "libc6-dev");
  missing += check_header("jansson.h", "jansson", "libjansson-dev");
  missing += check_header("ini.h", "inih", "libinih-dev");
  missing += check_header("seccomp.h", "libseccomp", "libseccomp-dev");
  autofree char *simulator = kit_path(kit, "build/device"),
                *script = kit_path(kit, "harness/compile");
  missing += print_finding(access(script, X_OK) == 0, "harness/compile", script,
                           "the kit is incomplete: fetch it again");
  missing +=
      print_finding(access(simulator, R_OK) == 0, "the simulator, built", simulator, "make lab1");

  missing += check_sandbox(kit);

  printf("\nOnly for pictures and charts:\n");
  check_program("gnuplot", "gnuplot-nox");

  printf("\nOnly for `make test`:\n");
  check_header("cmocka.h", "cmocka", "libcmocka-dev");

  printf("\nThis machine:\n  cores    %ld\n", sysconf(_SC_NPROCESSORS_ONLN));
#if defined(__x86_64__)
  printf("  vectors  %s\n", __builtin_cpu_supports("avx2") ? "AVX2" : "SSE2");
#endif
  char *nvcc = program_find("nvcc");
  printf("  GPU      %s; nvcc %s (neither is needed)\n",
         access("/dev/nvidia0", F_OK) == 0 ? "there is one" : "none",
         nvcc ? nvcc : "is not installed");
  free(nvcc);
  if (missing)
    printf("\n%d missing. ./setup installs what is missing.\n", missing);
  else
    printf("\nNothing is missing. Next: make lab0 && ./grade lab0\n");
  return missing ? 2 : 0;
}
