/* bench.c: how fast the simulator is, with every counter and check on.
 *
 *     make bench       build/bench [ROUNDS]
 *
 * A line for each kernel: the median wall time of a launch on one thread, in ROUNDS processes
 * (default 3) of three launches each, and over the warp instructions executed; how many times
 * longer that is than the least work that the kernel can be on one core (floors.h), where there is
 * such a floor; the time on all threads, and how many times faster that is. Then the first kernel
 * again with each instruction set that is built (`make ISAS=all bench`); and the whole life of a
 * program that launches one small kernel. KIT_SIM_ISA picks what the first table runs with.
 */
#include "tests/bench/bench.h"
#include "tests/bench/floors.h"

#include <cuda_runtime_api.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "harness/base/backend.h"
#include "harness/base/pages.h"
#include "harness/sim/decode/isa.h"
#include "harness/sim/runtime/listen.h"

static const struct benchmark {
  const char *name;
  void (*launch)(const struct matrices *m);
  int n;
  void (*floor)(int n, const float *a, const float *b, float *c); /* NULL: there is none */
} benchmarks[] = {
    {"product, 32 x 32 tiles", bench_tiled32, 1024, floor_tiled},
    {"product, 16 x 16 tiles", bench_tiled16, 1024},
    {"product, global memory", bench_naive, 1024, floor_naive},
    {"transpose, 32 x 8 blocks", bench_transpose, 4096},
    {"transpose, padded tile", bench_tile_transpose, 4096},
    {"product, register tiles", bench_registers, 1024},
};

enum { MAX_ROUNDS = 100, LAUNCHES = 3 /* of a process: the first finds its memory cold */ };

static void on_event(void *context, const char *what, json_t *object) {
  double *instructions = context;
  json_t *counters = json_object_get(object, "counters");
  if (what[0] != 'l') { /* a hazard: these kernels have none */
    json_dumpf(object, stderr, 0);
    exit(2);
  }
  *instructions = json_number_value(json_object_get(counters, "inst_executed"));
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

/* ---- one kernel, in a process of its own ---- */

struct measured {
  double seconds, instructions; /* of a launch: the median time, warp instructions */
};

static struct measured measure(const struct benchmark *benchmark, int rounds) {
  double seconds[MAX_ROUNDS], instructions = 0;
  struct matrices matrices;
  sim_listen(on_event, &instructions);
  bench_allocate(benchmark->n, &matrices);
  for (int round = 0; round < rounds; round++) {
    double start = now();
    benchmark->launch(&matrices);
    cudaError_t error = cudaDeviceSynchronize();
    seconds[round] = now() - start;
    if (error != cudaSuccess) {
      fprintf(stderr, "bench: %s: %s\n", benchmark->name, cudaGetErrorString(error));
      exit(2);
    }
  }
  bench_free(&matrices);
  return (struct measured){median(seconds, rounds), instructions};
}

/* `bench --one INDEX ROUNDS`: prints seconds and instructions. */
static int measure_one(const char *index, int rounds) {
  static const struct benchmark tiny = {"a small kernel", bench_naive, 32, NULL};
  int i = atoi(index), count = (int)(sizeof benchmarks / sizeof *benchmarks);
  struct measured m = measure(i >= 0 && i < count ? &benchmarks[i] : &tiny, rounds);
  printf("%.9g %.0f\n", m.seconds, m.instructions);
  return 0;
}

/* Has a fresh process of this program do so with this environment: the simulator reads its options
 * when it is first used. threads NULL: all. *life: seconds from its start to its end; or NULL. */
static struct measured measure_in_child(int index, int rounds, const char *isa, const char *threads,
                                        double *life) {
  char command[200];
  struct measured m;
  if (isa) setenv("KIT_SIM_ISA", isa, 1);
  setenv(PAGES_VARIABLE, PAGES_VALUE, 1); /* as a grading's device has them */
  if (threads)
    setenv("KIT_SIM_THREADS", threads, 1);
  else
    unsetenv("KIT_SIM_THREADS");
  snprintf(command, sizeof command, "exec /proc/%d/exe --one %d %d", (int)getpid(), index, rounds);
  double start = now();
  FILE *child = popen(command, "r");
  bool ok = child && fscanf(child, "%lf %lf", &m.seconds, &m.instructions) == 2;
  if (!child || pclose(child) != 0 || !ok) {
    fprintf(stderr, "bench: a process failed\n");
    exit(2);
  }
  if (life) *life = now() - start;
  return m;
}

/* ---- the tables ---- */

static double floor_of(const struct benchmark *benchmark, int rounds) {
  size_t count = (size_t)benchmark->n * (size_t)benchmark->n;
  float *a = calloc(count, sizeof *a), *b = calloc(count, sizeof *b), *c = calloc(count, sizeof *c);
  double seconds[MAX_ROUNDS];
  if (!a || !b || !c) {
    fprintf(stderr, "bench: out of memory\n");
    exit(2);
  }
  for (int round = 0; round < rounds; round++) {
    double start = now();
    benchmark->floor(benchmark->n, a, b, c);
    seconds[round] = now() - start;
  }
  free(a);
  free(b);
  free(c);
  return median(seconds, rounds);
}

/* One and all threads take turns, so that both see the same of what else the machine does. */
static void print_line(const char *name, int index, int rounds, const char *isa) {
  const struct benchmark *benchmark = &benchmarks[index];
  double one[MAX_ROUNDS], all[MAX_ROUNDS], instructions = 0;
  for (int round = 0; round < rounds; round++) {
    struct measured m = measure_in_child(index, LAUNCHES, isa, "1", NULL);
    one[round] = m.seconds;
    instructions = m.instructions;
    all[round] = measure_in_child(index, LAUNCHES, isa, NULL, NULL).seconds;
  }
  double seconds = median(one, rounds), together = median(all, rounds);
  char floor[16] = "-";
  if (benchmark->floor)
    snprintf(floor, sizeof floor, "%.1f", seconds / floor_of(benchmark, rounds));
  printf("%-28s %6d %9.3f %13.2f %9s %9.3f %8.2f\n", name, benchmark->n, seconds,
         seconds * 1e9 / instructions, floor, together, seconds / together);
  fflush(stdout);
}

static void print_start_up(void) {
  double seconds[9];
  for (int i = 0; i < 9; i++) measure_in_child(-1, 1, NULL, NULL, &seconds[i]);
  printf("a program with one small kernel: %.1f ms from start to end (median of 9)\n",
         median(seconds, 9) * 1e3);
}

int main(int argc, char **argv) {
  if (argc == 4 && strcmp(argv[1], "--one") == 0) return measure_one(argv[2], atoi(argv[3]));
  int rounds = argc > 1 ? atoi(argv[1]) : 3;
  if (argc > 2 || rounds < 1 || rounds > MAX_ROUNDS) {
    fprintf(stderr, "use: build/bench [ROUNDS], 1 to %d\n", MAX_ROUNDS);
    return 2;
  }
  char threads[24];
  snprintf(threads, sizeof threads, "%ld threads", sysconf(_SC_NPROCESSORS_ONLN));
  printf("%-28s %6s %9s %13s %9s %9s %8s\n", backend_device(), "n", "1 thread", "ns/warp inst",
         "x floor", threads, "speedup");
  for (int i = 0; i < (int)(sizeof benchmarks / sizeof *benchmarks); i++)
    print_line(benchmarks[i].name, i, rounds, NULL);
  for (int i = 0; isa_name(i); i++) {
    char name[64];
    snprintf(name, sizeof name, "the first with %s", isa_name(i));
    print_line(name, 0, rounds, isa_name(i));
  }
  print_start_up();
  return 0;
}
