/* bench.c: how fast the simulator is, with every counter and check on.
 *
 *     make bench       build/bench [ROUNDS]
 *
 * One line a kernel: the median wall time of ROUNDS launches (default 3), and that time over the
 * warp instructions and over the lane instructions that it executed. Then the first of them again
 * for each instruction set, on one thread and on all; and the whole life of a program that launches
 * one small kernel. KIT_SIM_THREADS and KIT_SIM_ISA pick what the first table runs with.
 */
#include "tests/bench/bench.h"

#include <cuda_runtime_api.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/backend.h"
#include "harness/sim/runtime/listen.h"

static const struct benchmark {
  const char *name;
  void (*launch)(const struct matrices *m);
  int n;
} benchmarks[] = {
    {"product, 32 x 32 tiles", bench_tiled32, 1024},
    {"product, 16 x 16 tiles", bench_tiled16, 1024},
    {"product, global memory", bench_naive, 1024},
    {"transpose, 32 x 8 blocks", bench_transpose, 4096},
    {"transpose, padded tile", bench_tile_transpose, 4096},
    {"product, register tiles", bench_registers, 1024},
};

enum { MAX_ROUNDS = 100 };

struct instructions {
  double warp, lane;
};

static void on_event(void *context, const char *what, json_t *object) {
  struct instructions *done = context;
  json_t *counters = json_object_get(object, "counters");
  if (what[0] != 'l') { /* a hazard: these kernels have none */
    json_dumpf(object, stderr, 0);
    exit(2);
  }
  done->warp = json_number_value(json_object_get(counters, "inst_executed"));
  done->lane = json_number_value(json_object_get(counters, "thread_inst_executed"));
}

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

static int compare_numbers(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double *seconds, int count) {
  qsort(seconds, (size_t)count, sizeof *seconds, compare_numbers);
  return (seconds[(count - 1) / 2] + seconds[count / 2]) / 2;
}

/* Times one kernel and prints its line. */
static void run(const char *name, const struct benchmark *benchmark, int rounds) {
  struct instructions done = {0, 0};
  double seconds[MAX_ROUNDS];
  struct matrices matrices;
  sim_listen(on_event, &done);
  bench_allocate(benchmark->n, &matrices);
  for (int round = 0; round < rounds; round++) {
    double start = now();
    benchmark->launch(&matrices);
    cudaError_t error = cudaDeviceSynchronize();
    seconds[round] = now() - start;
    if (error != cudaSuccess) {
      fprintf(stderr, "%s: %s\n", name, cudaGetErrorString(error));
      exit(2);
    }
  }
  bench_free(&matrices);
  double time = median(seconds, rounds);
  printf("%-28s %6d %9.3f %14.2f %14.3f\n", name, benchmark->n, time, time * 1e9 / done.warp,
         time * 1e9 / done.lane);
  fflush(stdout);
}

/* A fresh process of this program: `bench --one INDEX NAME ROUNDS`, with the environment given. The
 * simulator reads its options when it is first used. Returns its life in seconds. */
static double run_in_child(const char *isa, const char *threads, const char *index,
                           const char *name, const char *rounds) {
  double start = now();
  pid_t child = fork();
  if (child == 0) {
    if (isa) setenv("KIT_SIM_ISA", isa, 1);
    if (threads)
      setenv("KIT_SIM_THREADS", threads, 1);
    else
      unsetenv("KIT_SIM_THREADS");
    execl("/proc/self/exe", "bench", "--one", index, name, rounds, (char *)NULL);
    _exit(2);
  }
  int status = 0;
  if (child < 0 || waitpid(child, &status, 0) != child || status != 0) {
    fprintf(stderr, "bench: %s: a process failed\n", name);
    exit(2);
  }
  return now() - start;
}

/* Does this processor have the instruction set? The simulator takes its best one if not. */
static bool has_isa(const char *isa) {
#if defined __x86_64__
  if (strcmp(isa, "avx512") == 0) return __builtin_cpu_supports("avx512bw");
  if (strcmp(isa, "avx2") == 0) return __builtin_cpu_supports("avx2");
  return strcmp(isa, "sse2") == 0;
#else
  return strcmp(isa, "generic") == 0;
#endif
}

static void run_each(const char *rounds) {
  static const char *const isas[] = {"avx512", "avx2", "sse2", "generic"};
  for (size_t i = 0; i < sizeof isas / sizeof *isas; i++) {
    char name[64];
    if (!has_isa(isas[i])) continue;
    snprintf(name, sizeof name, "  %s, all threads", isas[i]);
    run_in_child(isas[i], NULL, "0", name, rounds);
    snprintf(name, sizeof name, "  %s, 1 thread", isas[i]);
    run_in_child(isas[i], "1", "0", name, rounds);
  }
}

static void run_start_up(void) {
  double seconds[9];
  for (int i = 0; i < 9; i++) seconds[i] = run_in_child(NULL, NULL, "-1", "start", "1");
  printf("a program with one small kernel: %.1f ms from start to end (median of 9)\n",
         median(seconds, 9) * 1e3);
}

static int run_one(const char *index, const char *name, int rounds) {
  static const struct benchmark tiny = {"", bench_naive, 32};
  int i = atoi(index);
  if (i < 0 && !freopen("/dev/null", "w", stdout)) return 2;
  run(name, i < 0 ? &tiny : &benchmarks[i], rounds);
  return 0;
}

int main(int argc, char **argv) {
  if (argc == 5 && strcmp(argv[1], "--one") == 0) return run_one(argv[2], argv[3], atoi(argv[4]));
  const char *rounds = argc > 1 ? argv[1] : "3";
  if (atoi(rounds) < 1 || atoi(rounds) > MAX_ROUNDS) {
    fprintf(stderr, "use: build/bench [ROUNDS], 1 to %d\n", MAX_ROUNDS);
    return 2;
  }
  printf("%-28s %6s %9s %14s %14s\n", backend_device(), "n", "seconds", "ns/warp inst",
         "ns/lane inst");
  for (size_t i = 0; i < sizeof benchmarks / sizeof *benchmarks; i++)
    run(benchmarks[i].name, &benchmarks[i], atoi(rounds));
  printf("%s on\n", benchmarks[0].name);
  fflush(stdout);
  run_each(rounds);
  run_start_up();
  return 0;
}
