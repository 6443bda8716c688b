/* cpu.c: times a family's work on this machine's CPU in every way that its cpu.c has.
 *
 *     build/cpu-matmul M=500 N=500 K=500          JSON on stdout
 *     build/cpu-matmul --table M=500 N=500 K=500  as rows with tabs: id, name, median_ns,
 *                                                 deviation_ns, runs
 *     build/cpu-matmul --machine                  only what it runs on, as below
 *     build/cpu-matmul --check                    do all ways come to the same? exit status 1: no
 *
 * A time is that of the wall clock, the median over up to --runs runs (1000); no new one starts
 * after --seconds (1) if there are three, and none at all after five times that. Its deviation is
 * half the distance of the 16th and the 84th percentile: of normal noise, the standard deviation.
 * What would take over a minute is left out. The result:
 *
 *   {"cpu":"AMD EPYC", "cores":2, "compiler":"gcc 12.2.0 -O3 -march=native",
 *    "library":"OpenBLAS 0.3.21" or null,
 *    "codes":[ (not with --machine){"id":"plain", "name":"i-j-k loop, 1 thread", "runs":20,
 * "median_ns":.., "deviation_ns":.. or null, "left_out":null or "a sentence"}]}
 *
 * Exit status: 0, 1 as above, 2 for wrong arguments and without memory. */
#include <argp.h>
#include <jansson.h>
#include <math.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "harness/base/statistics.h"
#include "harness/problems/cpu_code.h"

enum { MAX_RUNS = 1000, MIN_RUNS = 3 };
static const double max_seconds = 60; /* of one run */
static const double patience = 5;     /* times --seconds, until there are three runs */

struct options {
  long dims[PROBLEM_MAX_DIMS];
  int runs;
  double seconds;
  bool check, machine, table;
};

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

/* --- arrays --- */

/* In huge pages, if the machine has any: without them the plain loops wait for the TLB, too. */
static void *make_array(size_t bytes) {
  const size_t page = 2 << 20;
  size_t whole = (bytes + page - 1) / page * page;
  void *array = aligned_alloc(page, whole);
  if (array && bytes >= page) madvise(array, whole, MADV_HUGEPAGE);
  return array;
}

static bool make_arrays(const long *dims, void **arrays) {
  uint64_t state = 1;
  for (int i = 0; i < problem_array_count(cpu_problem); i++) {
    size_t count = problem_elements(cpu_problem, i, dims);
    float *values = arrays[i] = make_array(count * sizeof *values);
    if (!values) return false;
    for (size_t j = 0; j < count; j++) /* pages are there before the first run */
      values[j] = i < cpu_problem->input_count ? (float)(random_next(&state) >> 40) * 0x1p-24f : 0;
  }
  return true;
}

static void free_arrays(void **arrays) {
  for (int i = 0; i < problem_array_count(cpu_problem); i++) free(arrays[i]);
}

/* --- times --- */

/* Runs it up to so often; the number of times in ns. */
static int time_runs(const struct options *options, const struct cpu_code *code,
                     void *const *arrays, double *times) {
  double begin = now_ns(), limit = options->seconds * 1e9;
  code->run(options->dims, arrays);
  times[0] = now_ns() - begin;
  int count = times[0] > limit / MIN_RUNS; /* a short one only warms up */
  for (; count < options->runs; count++) {
    double start = now_ns(), spent = start - begin;
    if (count && spent > (count < MIN_RUNS ? patience * limit : limit)) break;
    code->run(options->dims, arrays);
    times[count] = now_ns() - start;
  }
  return count;
}

/* Of times in order. On a busy machine a few of them are many times as long: their squares would
 * say nothing of the others. */
static json_t *deviation(const double *times, int count) {
  int low = (int)lround(0.159 * (count - 1)), high = count - 1 - low;
  return count > 1 ? json_real((times[high] - times[low]) / 2) : json_null();
}

static json_t *time_code(const struct options *options, const struct cpu_code *code,
                         void *const *arrays) {
  const char *missing = code->missing ? code->missing() : NULL;
  double seconds = cpu_work(options->dims) / code->per_second;
  char too_long[64] = "";
  if (seconds > max_seconds)
    snprintf(too_long, sizeof too_long, "it could take %.0f minutes", ceil(seconds / 60));
  if (!missing && *too_long) missing = too_long;
  if (missing)
    return json_pack("{s:s, s:s, s:s}", "id", code->id, "name", code->name, "left_out", missing);
  double times[MAX_RUNS];
  int count = time_runs(options, code, arrays, times);
  double median = median_interval(times, count).median; /* which sorts them */
  return json_pack("{s:s, s:s, s:i, s:f, s:o, s:n}", "id", code->id, "name", code->name, "runs",
                   count, "median_ns", median, "deviation_ns", deviation(times, count), "left_out");
}

/* --- the machine --- */

/* "Intel(R) Xeon(R) ...", out of /proc/cpuinfo. */
static void cpu_name(char *name, size_t size) {
  char line[256];
  FILE *file = fopen("/proc/cpuinfo", "r");
  snprintf(name, size, "unknown CPU");
  while (file && fgets(line, sizeof line, file)) {
    char *colon = strchr(line, ':');
    if (strncmp(line, "model name", 10) != 0 || !colon || !colon[1]) continue;
    snprintf(name, size, "%.*s", (int)strcspn(colon + 2, "\n"), colon + 2);
    break;
  }
  if (file) fclose(file);
}

/* The cores that this program may run on: of processors that share one, the first. */
static int count_cores(void) {
  cpu_set_t set;
  int cores = 0;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return 1;
  for (int i = 0; i < CPU_SETSIZE; i++) {
    char path[96];
    int first = i;
    if (!CPU_ISSET(i, &set)) continue;
    snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu%d/topology/thread_siblings_list", i);
    FILE *file = fopen(path, "r");
    if (file && fscanf(file, "%d", &first) != 1) first = i;
    if (file) fclose(file);
    cores += first == i || first < 0 || first >= CPU_SETSIZE || !CPU_ISSET(first, &set);
  }
  return cores;
}

static const char *word_of(const json_t *code, const char *key) {
  return json_string_value(json_object_get(code, key));
}

static double number_of(const json_t *code, const char *key) {
  return json_number_value(json_object_get(code, key));
}

static void print_table(const json_t *codes) {
  const json_t *code;
  size_t i;
  json_array_foreach (codes, i, code) {
    if (word_of(code, "left_out"))
      fprintf(stderr, "cpu: %s: %s\n", word_of(code, "name"), word_of(code, "left_out"));
    else
      printf("%s\t%s\t%.0f\t%.0f\t%.0f\n", word_of(code, "id"), word_of(code, "name"),
             number_of(code, "median_ns"), number_of(code, "deviation_ns"),
             number_of(code, "runs"));
  }
}

static int print_times(const struct options *options) {
  void *arrays[PROBLEM_MAX_ARRAYS] = {NULL};
  char name[128];
  cpu_name(name, sizeof name);
  json_t *json = json_pack("{s:s, s:i, s:s, s:s?}", "cpu", name, "cores", count_cores(), "compiler",
                           "gcc " __VERSION__ " " KIT_FLAGS, "library", cpu_library());
  if (!options->machine) {
    if (!make_arrays(options->dims, arrays)) {
      fprintf(stderr, "cpu: out of memory for the arrays\n");
      return 2;
    }
    json_t *codes = json_array();
    for (const struct cpu_code *code = cpu_codes; code->id; code++)
      json_array_append_new(codes, time_code(options, code, arrays));
    json_object_set_new(json, "codes", codes);
  }
  if (options->table) {
    print_table(json_object_get(json, "codes"));
  } else {
    json_dumpf(json, stdout, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
    putchar('\n');
  }
  json_decref(json);
  free_arrays(arrays);
  return 0;
}

/* --- do they agree? --- */

/* Runs every way on these dimensions and compares with the first. */
static int check_dims(const long *dims) {
  int wrong = 0;
  void *arrays[PROBLEM_MAX_ARRAYS] = {NULL}, *first[PROBLEM_MAX_ARRAYS] = {NULL};
  if (!make_arrays(dims, arrays) || !make_arrays(dims, first)) return 2;
  cpu_codes[0].run(dims, first);
  for (const struct cpu_code *code = cpu_codes + 1; code->id; code++) {
    if (code->missing && code->missing()) continue;
    float worst = 0;
    for (int i = cpu_problem->input_count; i < problem_array_count(cpu_problem); i++)
      memset(arrays[i], 0xff, problem_bytes(cpu_problem, i, dims));
    code->run(dims, arrays);
    for (int i = cpu_problem->input_count; i < problem_array_count(cpu_problem); i++) {
      const float *x = arrays[i], *y = first[i];
      for (size_t j = 0; j < problem_elements(cpu_problem, i, dims); j++)
        if (!(fabsf(x[j] - y[j]) <= worst)) worst = fabsf(x[j] - y[j]);
    }
    if (!(worst <= 1e-3f)) {
      printf("FAIL %s: an element is off by %g from %s\n", code->name, (double)worst,
             cpu_codes[0].name);
      wrong = 1;
    }
  }
  free_arrays(arrays);
  free_arrays(first);
  return wrong;
}

static int check_all(void) {
  static const long shapes[][PROBLEM_MAX_DIMS] = {
      {1, 1, 1, 1}, {17, 33, 5, 3}, {64, 32, 96, 2}, {100, 1, 129, 2}, {70, 130, 65, 3}};
  int worst = 0;
  for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
    int status = check_dims(shapes[i]);
    worst = status > worst ? status : worst;
  }
  if (!worst) puts("ok all ways come to the same");
  return worst;
}

/* --- command line --- */

/* NAME=VALUE, a dimension of the problem. */
static void parse_dim(const char *text, struct argp_state *state, long *dims) {
  for (int i = 0; i < cpu_problem->dim_count; i++) {
    size_t length = strlen(cpu_problem->dims[i]);
    char *end;
    if (strncmp(text, cpu_problem->dims[i], length) != 0 || text[length] != '=') continue;
    dims[i] = strtol(text + length + 1, &end, 10);
    if (*end || dims[i] < 1 || dims[i] > 1 << 20)
      argp_error(state, "%s: a dimension is a whole number from 1 to %d", text, 1 << 20);
    return;
  }
  argp_error(state, "%s is no dimension of %s", text, cpu_problem->name);
}

static error_t parse_option(int key, char *argument, struct argp_state *state) {
  struct options *options = state->input;
  switch (key) {
    case 'r':
      options->runs = atoi(argument);
      if (options->runs < 1 || options->runs > MAX_RUNS)
        argp_error(state, "--runs=%s: a whole number from 1 to %d", argument, MAX_RUNS);
      return 0;
    case 's':
      options->seconds = strtod(argument, NULL);
      if (!(options->seconds > 0)) argp_error(state, "--seconds=%s: a number over 0", argument);
      return 0;
    case 'c':
      options->check = true;
      return 0;
    case 't':
      options->table = true;
      return 0;
    case 'm':
      options->machine = true;
      return 0;
    case ARGP_KEY_ARG:
      parse_dim(argument, state, options->dims);
      return 0;
    case ARGP_KEY_END:
      for (int i = 0; i < cpu_problem->dim_count && !options->check && !options->machine; i++)
        if (!options->dims[i]) argp_error(state, "%s=... is missing", cpu_problem->dims[i]);
      return 0;
    default:
      return ARGP_ERR_UNKNOWN;
  }
}

int main(int argc, char **argv) {
  static const struct argp_option list[] = {
      {"runs", 'r', "N", 0, "Run each up to N times (default 1000)", 0},
      {"seconds", 's', "S", 0, "Start no new run after S seconds (default 1)", 0},
      {"table", 't', NULL, 0, "Print rows with tabs between, no JSON", 0},
      {"machine", 'm', NULL, 0, "Only describe this machine", 0},
      {"check", 'c', NULL, 0, "Compare the results of all ways, at some shapes", 0},
      {0}};
  static const struct argp parser = {.options = list,
                                     .parser = parse_option,
                                     .args_doc = "DIMENSION=N...",
                                     .doc = "Times a problem on this machine's CPU."};
  struct options options = {.runs = MAX_RUNS, .seconds = 1};
  argp_err_exit_status = 2;
  argp_parse(&parser, argc, argv, 0, NULL, &options);
  return options.check ? check_all() : print_times(&options);
}
