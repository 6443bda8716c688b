/* kernels.c: random kernels, on the simulator and in a scalar interpreter: every byte they leave in
 * memory must be the same, and no hazard be reported.
 *
 *     build/fuzz/kernels [--seconds N] [--jobs N] [--seed N] [--count N] [--gpu] [--print]
 *
 * Without --count, until the time is over (60 s), from a seed that is the time unless --seed gives
 * one; on as many processes as there are cores. --gpu runs them on this machine's GPU, too, and
 * holds what it leaves against the same interpreter: kernels without approximations. --print writes
 * the kernel of --seed and does not run it. The instruction set, where the affine form is used and
 * the number of the device's threads go by the seed.
 *
 * What differs is printed with its seed, after statements that it does not need have been left out.
 * The last line is `K kernels in S s on J jobs, D differences`; exit status 1 if there are any. The
 * program needs no other file.
 */
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "harness/sim/device/device.h"
#include "harness/sim/exec/machine.h"
#include "tests/fuzz/random_kernel.h"

enum { MAX_STATEMENTS = 4096, MAX_FINDINGS = 3, MINIMISE_SECONDS = 30 };

/* Of all jobs. */
struct totals {
  long kernels, too_long, differences, steps;
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

/* ---- one kernel ---- */

enum verdict { SAME, DIFFERENT, INVALID, TOO_LONG };

struct trial {
  enum verdict verdict;
  char what[800]; /* the difference, or why it is no kernel */
};

static void hazard_found(void *context, const struct hazard *hazard) {
  struct trial *trial = context;
  if (trial->verdict == DIFFERENT) return;
  trial->verdict = DIFFERENT;
  snprintf(trial->what, sizeof trial->what, "a hazard (%s): %s", hazard_names[hazard->kind],
           hazard->message);
}

static const char *pick_isa(uint64_t seed) {
  setenv("KIT_SIM_AFFINE", seed / 2 % 2 ? "always" : "on", 1);
#if defined __x86_64__
  setenv("KIT_SIM_ISA", seed % 2 ? "avx2" : "sse2", 1);
#else
  (void)seed;
#endif
  return isa_best()->name;
}

static bool compare(struct trial *trial, const struct kernel *k, const char *name,
                    const unsigned char *got, const unsigned char *right, size_t bytes,
                    size_t thread_bytes) {
  for (size_t i = 0; i < bytes; i++) {
    if (got[i] == right[i]) continue;
    size_t word = i / 8 * 8;
    uint64_t a = 0, b = 0;
    size_t left = bytes - word < 8 ? bytes - word : 8;
    memcpy(&a, got + word, left);
    memcpy(&b, right + word, left);
    trial->verdict = DIFFERENT;
    if (thread_bytes)
      snprintf(trial->what, sizeof trial->what,
               "%s of block %zu, thread %zu, byte %zu: %016llx, not %016llx", name,
               word / thread_bytes / k->threads, word / thread_bytes % k->threads,
               word % thread_bytes, (unsigned long long)a, (unsigned long long)b);
    else
      snprintf(trial->what, sizeof trial->what, "%s, byte %zu: %016llx, not %016llx", name, word,
               (unsigned long long)a, (unsigned long long)b);
    return false;
  }
  return true;
}

static int launch(struct device *device, const struct kernel *k, const struct arrays *arrays,
                  char *error, size_t size) {
  char *text = kernel_text(k);
  int module, code = device_load_module(device, text, strlen(text), &module, error, size);
  free(text);
  if (code) return code;
  struct kernel_info info;
  if (device_get_kernel(device, module, "k", &info) != 0) return -1;
  struct launch launch = {.module = module,
                          .kernel = "k",
                          .grid = {k->blocks, 1, 1},
                          .block = {k->threads, 1, 1},
                          .params = arrays->params,
                          .param_bytes = info.param_bytes};
  uint64_t constants;
  size_t bytes;
  code = device_get_symbol(device, module, "constants", &constants, &bytes);
  if (!code) code = device_write(device, constants, arrays->constants, CONST_BYTES);
  if (!code) code = device_launch(device, &launch);
  if (!code) code = device_synchronize(device);
  return code;
}

/* What is in global memory, part by part. */
enum { PARTS = 5 };
struct part {
  uint64_t *address;
  unsigned char **bytes;
  size_t size, thread_bytes;
  const char *name;
};
static void find_parts(const struct kernel *k, struct arrays *a, struct part *parts) {
  const struct part all[PARTS] = {
      {&a->input, &a->input_bytes, INPUT_BYTES, 0, "input"},
      {&a->rows, &a->row_bytes, row_bytes(k), ROW_BYTES, "row"},
      {&a->columns, &a->column_bytes, column_bytes(k), 0, "columns"},
      {&a->counters, &a->counter_bytes, TALLIES * 8, 0, "counters"},
      {&a->dump, &a->dump_bytes, threads_of(k) * DUMP_BYTES, DUMP_BYTES, "dump"}};
  memcpy(parts, all, sizeof all);
}

static struct arrays on_gpu; /* their addresses; 0: no GPU is asked for */

/* Runs it on the GPU, too. */
static void try_gpu(const struct kernel *k, struct trial *trial) {
  struct arrays a = on_gpu;
  struct part parts[PARTS];
  struct gpu_part moved[PARTS];
  find_parts(k, &a, parts);
  arrays_fill(k, &a);
  for (int i = 0; i < PARTS; i++) {
    unsigned char *both = malloc(2 * parts[i].size);
    if (!both) abort();
    memcpy(both, *parts[i].bytes, parts[i].size);
    moved[i] = (struct gpu_part){*parts[i].address, both, both + parts[i].size, parts[i].size};
  }
  const char *error = gpu_run(k, moved, PARTS, &a);
  if (error) {
    trial->verdict = INVALID;
    snprintf(trial->what, sizeof trial->what, "the GPU's driver says %s", error);
  }
  (void)kernel_run(k, &a);
  for (int i = 0; i < PARTS && trial->verdict == SAME; i++) {
    char name[40];
    snprintf(name, sizeof name, "on the GPU, %s", parts[i].name);
    compare(trial, k, name, moved[i].after, *parts[i].bytes, parts[i].size, parts[i].thread_bytes);
  }
  for (int i = 0; i < PARTS; i++) free((void *)(uintptr_t)moved[i].before);
  arrays_free(&a);
}

/* Runs the flattened kernel both ways. */
static struct trial try_kernel(const struct kernel *k, struct totals *totals) {
  struct trial trial = {SAME, ""};
  struct device *device =
      device_open(&(struct device_options){.threads = k->seed % 5 == 0 ? 2 : 1});
  if (!device) {
    fputs("kernels: no memory for a device\n", stderr);
    exit(2);
  }
  device_listen(device, &(struct device_listener){.context = &trial, .hazard = hazard_found});
  struct arrays a = {0};
  struct part parts[PARTS];
  find_parts(k, &a, parts);
  int code = 0;
  for (int i = 0; i < PARTS; i++)
    code |= device_malloc(device, parts[i].size, (struct source_place){NULL, 0}, parts[i].address);
  arrays_fill(k, &a);
  for (int i = 0; i < PARTS; i++)
    code |= device_write(device, *parts[i].address, *parts[i].bytes, parts[i].size);
  if (code) {
    fputs("kernels: no memory on the device\n", stderr);
    exit(2);
  }
  const char *error = kernel_run(k, &a);
  if (error) {
    trial.verdict = strcmp(error, "too long") == 0 ? TOO_LONG : INVALID;
    snprintf(trial.what, sizeof trial.what, "%s", error);
  } else {
    char message[300] = "";
    code = launch(device, k, &a, message, sizeof message);
    if (code && trial.verdict == SAME) {
      trial.verdict = DIFFERENT;
      snprintf(trial.what, sizeof trial.what, "error %d: %s", code, message);
    }
    unsigned char *got =
        malloc(row_bytes(k) + column_bytes(k) + threads_of(k) * DUMP_BYTES + INPUT_BYTES);
    if (!got) abort();
    for (int i = 0; i < PARTS && trial.verdict == SAME; i++) {
      device_read(device, got, *parts[i].address, parts[i].size);
      compare(&trial, k, parts[i].name, got, *parts[i].bytes, parts[i].size, parts[i].thread_bytes);
    }
    free(got);
    if (on_gpu.input && trial.verdict == SAME) try_gpu(k, &trial);
  }
  if (totals) __atomic_add_fetch(&totals->kernels, 1, __ATOMIC_RELAXED);
  arrays_free(&a);
  device_close(device);
  return trial;
}

/* Leaves out, from the end, whatever the difference does not need. */
static struct trial minimise(struct kernel *k, struct trial trial) {
  static struct statement *list[MAX_STATEMENTS];
  double end = now() + MINIMISE_SECONDS;
  for (bool shorter = true; shorter && now() < end;) {
    shorter = false;
    int count = kernel_statements(k, list, MAX_STATEMENTS);
    for (int i = count - 1; i >= 0 && now() < end; i--) {
      if (list[i]->dead) continue;
      list[i]->dead = true;
      kernel_flatten(k);
      struct trial next = try_kernel(k, NULL);
      if (next.verdict == DIFFERENT) {
        trial = next;
        shorter = true;
      } else {
        list[i]->dead = false;
      }
    }
  }
  kernel_flatten(k);
  return trial;
}

static void report(struct kernel *k, const struct trial *trial, const char *isa) {
  char *text = kernel_text(k), *whole = NULL;
  int length = asprintf(&whole, "seed %llu (%s, <<<%u, %u>>>): %s\n%s\n",
                        (unsigned long long)k->seed, isa, k->blocks, k->threads, trial->what, text);
  if (length > 0 && write(1, whole, (size_t)length) != length) exit(2);
  free(text);
  free(whole);
}

/* ---- many ---- */

static void run_job(uint64_t seed, uint64_t step, long count, double end, struct totals *totals) {
  int findings = 0;
  const char *missing = on_gpu.input ? gpu_open(&on_gpu) : NULL; /* once in each process */
  if (missing) {
    fprintf(stderr, "kernels: --gpu: %s\n", missing);
    exit(2);
  }
  for (long i = 0; (count < 0 || i < count) && (end <= 0 || now() < end) && findings < MAX_FINDINGS;
       i++, seed += step) {
    const char *isa = pick_isa(seed);
    struct kernel *k = kernel_make(seed, on_gpu.input != 0);
    struct trial trial = try_kernel(k, totals);
    if (trial.verdict == TOO_LONG) __atomic_add_fetch(&totals->too_long, 1, __ATOMIC_RELAXED);
    if (trial.verdict == DIFFERENT || trial.verdict == INVALID) {
      findings++;
      __atomic_add_fetch(&totals->differences, 1, __ATOMIC_RELAXED);
      if (trial.verdict == DIFFERENT) trial = minimise(k, trial);
      report(k, &trial, isa);
    }
    kernel_free(k);
  }
}

static long number(const char *option, const char *text) {
  char *end;
  long value = strtol(text, &end, 10);
  if (*end || !*text || value < 0) {
    fprintf(stderr, "kernels: --%s takes a number, not %s\n", option, text);
    exit(2);
  }
  return value;
}

int main(int argc, char **argv) {
  static const struct option options[] = {{"seconds", required_argument, NULL, 's'},
                                          {"jobs", required_argument, NULL, 'j'},
                                          {"seed", required_argument, NULL, 'n'},
                                          {"count", required_argument, NULL, 'c'},
                                          {"print", no_argument, NULL, 'p'},
                                          {"gpu", no_argument, NULL, 'g'},
                                          {0}};
  long seconds = 60, jobs = sysconf(_SC_NPROCESSORS_ONLN), count = -1;
  uint64_t seed = (uint64_t)time(NULL) << 20;
  bool print = false, seconds_given = false;
  for (int c, at = 0; (c = getopt_long(argc, argv, "", options, &at)) != -1;) {
    if (c == 's') seconds = number("seconds", optarg), seconds_given = true;
    if (c == 'j') jobs = number("jobs", optarg);
    if (c == 'n') seed = (uint64_t)number("seed", optarg);
    if (c == 'c') count = number("count", optarg);
    if (c == 'p') print = true;
    if (c == 'g') on_gpu.input = 1; /* until it is open */
    if (c == '?') return 2;
  }
  if (print) {
    struct kernel *k = kernel_make(seed, on_gpu.input != 0);
    char *text = kernel_text(k);
    fputs(text, stdout);
    free(text);
    kernel_free(k);
    return 0;
  }
  struct totals *totals =
      mmap(NULL, sizeof *totals, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (totals == MAP_FAILED || jobs < 1) return 2;
  double start = now(), end = count >= 0 && !seconds_given ? 0 : start + (double)seconds;
  bool crashed = false;
  for (long j = 0; j < jobs; j++) {
    pid_t child = fork();
    if (child < 0) return 2;
    if (child > 0) continue;
    long share = count < 0 ? -1 : count / jobs + (j < count % jobs);
    run_job(seed + (uint64_t)j, (uint64_t)jobs, share, end, totals);
    exit(0);
  }
  for (int status; wait(&status) > 0;)
    if (status != 0) crashed = true;
  if (crashed) puts("kernels: a job ended by itself");
  printf(
      "%ld kernels in %.0f s on %ld jobs (%ld more were too long), from seed %llu, %ld "
      "differences\n",
      totals->kernels - totals->too_long, now() - start, jobs, totals->too_long,
      (unsigned long long)seed, totals->differences);
  return totals->differences || crashed;
}
