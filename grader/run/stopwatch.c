/* stopwatch.c: has a runner time a case on a GPU, and checks the times.
 *
 * What the runner reports is its process's word, and a submission runs in that process. So the
 * numbers are checked against each other and against what the grader knows by itself. Outputs of
 * every timed call must be the reference's. Behind a call's second event the device is idle at
 * once, and the host's clock stops soon after: what the submission has there beyond what the
 * reference has is work that was kept from the events, and is added. What a submission takes
 * because it waits for its kernels itself is taken off. The reference and the baseline may not be
 * slower beside the submission than they were alone. No call is faster than the device can move the
 * bytes and do the operations that it takes at least, and all together are not longer than the
 * process. */
#include "grader/run/stopwatch.h"

#include <dlfcn.h>
#include <errno.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/base/system.h"
#include "grader/run/execute.h"
#include "grader/sandbox/process.h"
#include "grader/sandbox/sandbox.h"
#include "harness/base/exchange.h"

/* Differences between calls of one solution that are noise: of a batch, and as a share. */
static const double noise_ns = 2e3, noise_share = 0.02;
/* How much slower a trusted solution may be beside the submission than alone. */
static const double beside_share = 0.05;
/* That a round may take where their number is given: far more than one does. */
static const double round_seconds = 3;

struct series { /* of one timed solution, a value a round */
  double *event, *sync, *wall, *cold, *waited;
  bool waits;                 /* it waits for the device itself */
  double alone, alone_waited; /* medians before the submission's first call; 0: not known */
};

static double *take_numbers(const json_t *timed, const char *key, int rounds) {
  const json_t *list = json_object_get(timed, key);
  if (json_array_size(list) != (size_t)rounds) return NULL;
  double *values = xcalloc((size_t)rounds, sizeof *values);
  for (int r = 0; r < rounds; r++) {
    values[r] = json_number_value(json_array_get(list, (size_t)r));
    if (!(values[r] >= 0 && values[r] < 1e15)) {
      free(values);
      return NULL;
    }
  }
  return values;
}

static void free_series(struct series *series) {
  free_all(series->event, series->sync, series->wall, series->cold, series->waited);
}

static bool take_series(const json_t *timed, int rounds, struct series *series) {
  *series = (struct series){take_numbers(timed, "event_ns", rounds),
                            take_numbers(timed, "sync_ns", rounds),
                            take_numbers(timed, "wall_ns", rounds),
                            take_numbers(timed, "cold_ns", rounds),
                            take_numbers(timed, "waited_ns", rounds),
                            json_is_true(json_object_get(timed, "waits")),
                            json_number_value(json_object_get(timed, "alone_ns")),
                            json_number_value(json_object_get(timed, "alone_waited_ns"))};
  return series->event && series->sync && series->wall && series->cold && series->waited;
}

/* The median over rounds of what `until` shows beyond the events: waiting and the host's part. */
static double spare(const double *until, const double *event, int rounds) {
  autofree double *values = xcalloc((size_t)rounds, sizeof *values);
  for (int r = 0; r < rounds; r++) values[r] = until[r] - event[r];
  double median = median_interval(values, rounds).median;
  return median;
}

/* What a call takes longer where it is waited for: the median over rounds; NaN: not measured. */
static double cost_of_waiting(const struct series *series, int rounds) {
  autofree double *values = xcalloc((size_t)rounds, sizeof *values);
  int count = 0;
  for (int r = 0; r < rounds; r++)
    if (series->waited[r] > 0) values[count++] = series->waited[r] - series->event[r];
  double median = median_interval(values, count).median;
  return median;
}

/* What a call takes because the function itself waits for its kernels, in ns; 0: it does not.
 *
 * Back to back, the next call's launch goes on beside a kernel; behind a wait the device is idle
 * until the launch has come, though what is to be compared is what it does then. So the time of one
 * that waits is the trusted one's, plus what it takes longer than that one where both are waited
 * for: it hardly grows there, by less than half of what the trusted one's does. All of its work is
 * in there, and all that its host code does, so one that pretends to wait gains nothing. Nor does
 * one that makes waiting slow: the trusted one's was measured before. */
static double own_waiting(const struct series *series, const struct series *trusted, int rounds,
                          int batch) {
  if (!series->waits) return 0;
  double mine = cost_of_waiting(series, rounds), cost = cost_of_waiting(trusted, rounds);
  if (trusted->alone_waited > 0) cost = fmin(cost, trusted->alone_waited - trusted->alone);
  autofree double *events = xcalloc((size_t)rounds, sizeof *events);
  memcpy(events, trusted->event, (size_t)rounds * sizeof *events);
  double noise = noise_share * median_interval(events, rounds).median + noise_ns / batch;
  return cost > noise && mine < cost / 2 ? cost - fmax(mine, 0) : 0;
}

/* The times of calls, a value a round: between the events, unless work went on behind the second
 * one, without the submission's own waiting. trusted: a solution that hides nothing. The caller's.
 */
static double *call_times(const struct series *series, const struct series *trusted, int rounds,
                          int batch) {
  double spare_sync = spare(trusted->sync, trusted->event, rounds),
         spare_wall = spare(trusted->wall, trusted->event, rounds),
         waiting = own_waiting(series, trusted, rounds, batch);
  double *times = xcalloc((size_t)rounds, sizeof *times);
  for (int r = 0; r < rounds; r++) {
    double ns = series->event[r];
    double max = ns + noise_share * ns + noise_ns / batch;
    double until_idle = fmax(series->sync[r] - spare_sync, series->wall[r] - spare_wall);
    times[r] = (until_idle > max ? until_idle : ns) - waiting;
    double alone = series->alone * (1 + beside_share);
    if (alone > 0 && times[r] > alone) times[r] = alone;
  }
  return times;
}

static double mean_of(const double *values, int count) {
  double sum = 0;
  for (int i = 0; i < count; i++) sum += values[i];
  return sum / count;
}

static double deviation(const double *values, int count) {
  double mean = mean_of(values, count), squares = 0;
  for (int i = 0; i < count; i++) squares += (values[i] - mean) * (values[i] - mean);
  return count > 1 ? sqrt(squares / (count - 1)) : 0;
}

static void evaluate(struct timing *timing, const struct series *all) {
  int rounds = timing->rounds;
  const struct series *reference = &all[timing->count > 1 ? 1 : 0];
  autofree double *values = xcalloc((size_t)rounds, sizeof *values);
  autofree double *mine = call_times(&all[0], reference, rounds, timing->batch);
  for (int t = 0; t < timing->count; t++) {
    struct timed *timed = &timing->timed[t];
    autofree double *times = call_times(&all[t], reference, rounds, timing->batch);
    timed->waiting_ns = own_waiting(&all[t], reference, rounds, timing->batch);
    int cold = 0;
    for (int r = 0; r < rounds; r++) values[r] = mine[r] / times[r];
    timed->ratio = median_interval(values, rounds);
    memcpy(values, times, (size_t)rounds * sizeof *values);
    timed->mean_ns = mean_of(values, rounds);
    timed->deviation_ns = deviation(values, rounds);
    timed->ns = median_interval(values, rounds);
    for (int r = 0; r < rounds; r++)
      if (all[t].cold[r] > 0) values[cold++] = all[t].cold[r];
    timed->cold_ns = median_interval(values, cold);
    memcpy(values, all[t].event, (size_t)rounds * sizeof *values);
    if (all[t].alone > 0) timed->slowed = median_interval(values, rounds).median / all[t].alone;
  }
}

static int clock_of(const json_t *condition) {
  return (int)json_integer_value(json_object_get(condition, "sm_clock_mhz"));
}

static void take_condition(const json_t *result, struct timing *timing) {
  const json_t *before = json_object_get(result, "before"),
               *after = json_object_get(result, "after"), *reason;
  freed_by(text_free) struct text words = {0};
  if (clock_of(before) > 0 && clock_of(before) == clock_of(after))
    text_add(&words, "SM clock %d MHz", clock_of(before));
  else if (clock_of(before) > 0)
    text_add(&words, "SM clock %d to %d MHz", clock_of(before), clock_of(after));
  size_t i;
  json_array_foreach (json_object_get(after, "throttle"), i, reason) {
    const char *name = json_string_value(reason);
    if (name && strlen(name) < 40) text_add(&words, "%s%s", i ? ", " : "; throttled: ", name);
  }
  timing->shared = json_integer_value(json_object_get(before, "other_processes")) > 0 ||
                   json_integer_value(json_object_get(after, "other_processes")) > 0;
  if (timing->shared) text_add(&words, "; another process is on the device");
  if (timing->count > 0 && timing->timed[0].waiting_ns > 0)
    text_add(&words, "%sit waits for the device itself: %.1f us a call, which do not count",
             words.length ? "; " : "", timing->timed[0].waiting_ns / 1e3);
  for (int t = 1; t < timing->count; t++)
    if (timing->timed[t].slowed > 1 + beside_share)
      text_add(&words, "%sthe %s took %.2f times as long as alone, which counts",
               words.length ? "; " : "", timing->timed[t].name, timing->timed[t].slowed);
  timing->condition = xstrdup(text_get(&words));
}

__attribute__((format(printf, 3, 4))) static void fail(struct timing *timing, bool program,
                                                       const char *format, ...) {
  if (timing->error) return;
  va_list args;
  va_start(args, format);
  timing->error = xvprintf(format, args);
  va_end(args);
  timing->blame_program = program;
}

/* --- what the GPU can do at most ---
 *
 * The driver's library (NVML) has the figures of the data sheet: cores, largest clocks, width of
 * the memory bus. Peaks are taken on the high side, as a time below them is refused: 2 operations a
 * core and cycle; of L2, 1 byte a core and cycle, which is 64 a multiprocessor of 64 cores (the
 * width of its L1 fill on every architecture since Volta; those with 128 cores get half). H100: 67
 * TFLOP/s, 33 TB/s, 3.35 TB/s. */

typedef struct nvml_device *nvml_handle;
enum { NVML_SUCCESS = 0, NVML_CLOCK_SM = 1, NVML_CLOCK_MEM = 2 };

/* ISO C knows no conversion from an object's address to a function's; POSIX does (dlsym). */
#define FIND(function, name) (*(void **)&(function) = dlsym(library, name))

/* Of the first device; all 0 where there is no driver. */
static struct peaks peaks_read(void) {
  struct peaks peaks = {0};
  void *library = dlopen("libnvidia-ml.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!library) return peaks;
  int (*init)(void), (*shutdown)(void), (*by_index)(unsigned, nvml_handle *),
      (*cores)(nvml_handle, unsigned *), (*max_clock)(nvml_handle, int, unsigned *),
      (*bus_width)(nvml_handle, unsigned *);
  FIND(init, "nvmlInit_v2");
  FIND(shutdown, "nvmlShutdown");
  FIND(by_index, "nvmlDeviceGetHandleByIndex_v2");
  FIND(cores, "nvmlDeviceGetNumGpuCores");
  FIND(max_clock, "nvmlDeviceGetMaxClockInfo");
  FIND(bus_width, "nvmlDeviceGetMemoryBusWidth");
  nvml_handle device;
  unsigned core_count = 0, sm_mhz = 0, memory_mhz = 0, bus_bits = 0;
  if (init && by_index && init() == NVML_SUCCESS) {
    if (by_index(0, &device) == NVML_SUCCESS && cores && max_clock && bus_width) {
      cores(device, &core_count);
      max_clock(device, NVML_CLOCK_SM, &sm_mhz);
      max_clock(device, NVML_CLOCK_MEM, &memory_mhz);
      bus_width(device, &bus_bits);
    }
    if (shutdown) shutdown();
  }
  dlclose(library);
  peaks.flops_per_ns = 2.0 * core_count * sm_mhz / 1e3;
  peaks.l2_bytes_per_ns = 1.0 * core_count * sm_mhz / 1e3;
  peaks.dram_bytes_per_ns = 2.0 * memory_mhz * bus_bits / 8 / 1e3; /* double data rate */
  return peaks;
}

double peaks_floor(const struct peaks *peaks, double bytes, double operations) {
  double fastest = fmax(peaks->l2_bytes_per_ns, peaks->dram_bytes_per_ns);
  double moving = fastest > 0 ? bytes / fastest : 0,
         computing = peaks->flops_per_ns > 0 ? operations / peaks->flops_per_ns : 0;
  return fmax(moving, computing);
}

/* --- the result --- */

/* Times below what the device needs at least are no measurement. */
static void check_floor(const struct family *family, const long *dims, struct timing *timing) {
  struct peaks peaks = peaks_read();
  double bytes = family_bytes(family, dims), operations = family_operations(family, dims);
  double ns = timing->timed[0].ns.median;
  if (!timing->measured || !(ns < peaks_floor(&peaks, bytes, operations))) return;
  timing->measured = false;
  fail(timing, true,
       "a call took %.3g us for at least %.3g million operations and %.3g MB: faster than the "
       "device can be, so this is no measurement",
       ns / 1e3, operations / 1e6, bytes / 1e6);
}

/* The result into timing; spent_ns: how long the process ran. */
static void take_result(const json_t *result, double spent_ns, struct timing *timing) {
  const char *error = json_string_value(json_object_get(result, "error"));
  const char *blame = json_string_value(json_object_get(result, "blame"));
  const json_t *list = json_object_get(result, "timed");
  if (error) {
    fail(timing, blame && strcmp(blame, "submission") == 0, "%.200s", error);
    return;
  }
  timing->rounds = (int)json_integer_value(json_object_get(result, "rounds"));
  timing->batch = (int)json_integer_value(json_object_get(result, "batch"));
  timing->event_cost_ns = json_number_value(json_object_get(result, "event_cost_ns"));
  timing->count = (int)json_array_size(list);
  if (timing->rounds < 1 || timing->rounds > MAX_ROUNDS || timing->batch < 1 ||
      timing->batch > 1000 || timing->count < 1 || timing->count > MAX_TIMED) {
    timing->count = 0;
    fail(timing, true, "the report of the times is damaged");
    return;
  }
  struct series all[MAX_TIMED] = {{0}};
  double total = 0;
  bool good = true;
  for (int t = 0; t < timing->count; t++) {
    const json_t *entry = json_array_get(list, (size_t)t);
    const char *name = json_string_value(json_object_get(entry, "name"));
    const json_t *worst = json_object_get(entry, "worst_difference");
    good = good && name && take_series(entry, timing->rounds, &all[t]);
    timing->timed[t].name = xstrdup(name ? name : "");
    timing->timed[t].worst = json_is_number(worst) ? json_number_value(worst) : (double)INFINITY;
    for (int r = 0; good && r < timing->rounds; r++)
      total += fmax(all[t].event[r], all[t].wall[r]) * timing->batch;
  }
  if (!good)
    fail(timing, true, "the report of the times is damaged");
  else if (total > spent_ns)
    fail(timing, true, "the reported times add up to more than the program's run time");
  else
    evaluate(timing, all);
  take_condition(result, timing);
  timing->measured = !timing->error;
  for (int t = 0; t < timing->count; t++) free_series(&all[t]);
}

static void write_timing_job(int fd, uint64_t token, const struct conf *conf,
                             const struct case_conf *entry, const struct stopwatch *stopwatch) {
  const struct problem *problem = conf_family(conf, entry)->problem;
  const char *function = conf_function(conf, entry);
  autofree char *reference = stopwatch->alone ? NULL : xprintf("reference:%s", function),
                *baseline =
                    stopwatch->baseline ? xprintf("baseline:%s", stopwatch->baseline) : NULL;
  json_t *dims = json_object();
  for (int i = 0; i < problem->dim_count; i++)
    json_object_set_new(dims, problem->dims[i], json_integer(entry->dims[i]));
  json_auto_t *job =
      json_pack("{s:s, s:s, s:s, s:i, s:o, s:{s:{s:f, s:i, s:s*, s:s*}}}", "problem", problem->name,
                "case", entry->name, "entry", function, "sets", 0, "dims", dims, "options",
                "timing", "seconds", stopwatch->rounds ? 0.0 : stopwatch->seconds, "rounds",
                stopwatch->rounds ? stopwatch->rounds : (int)MAX_ROUNDS, "reference", reference,
                "baseline", baseline);
  autofree char *text = json_dumps(job, JSON_COMPACT);
  if (!text || frame_write(fd, FRAME_JOB, token, text, strlen(text)) != 0)
    die("cannot write a job: %s", strerror(errno));
  lseek(fd, 0, SEEK_SET);
}

/* The frame of the times out of the report, or NULL. */
static json_t *read_result(int fd, uint64_t token) {
  struct frame_header header;
  void *payload = NULL;
  json_t *result = NULL;
  lseek(fd, 0, SEEK_SET);
  while (!result && frame_read(fd, &header, &payload, 4 << 20) == 1) {
    if (header.token == token && header.type == FRAME_TIMING)
      result = json_loadb(payload, header.bytes, JSON_REJECT_DUPLICATES, NULL);
    free(payload);
    payload = NULL;
  }
  return result;
}

void stopwatch_run(const struct runner *runner, const struct conf *conf, int case_index,
                   const struct stopwatch *stopwatch, struct timing *timing) {
  double seconds = stopwatch->rounds ? round_seconds * stopwatch->rounds : stopwatch->seconds;
  const struct case_conf *entry = &conf->cases[case_index];
  *timing = (struct timing){0};
  uint64_t token;
  random_bytes(&token, sizeof token);
  int job = memory_file("job"), report = memory_file("report"), output = memory_file("output");
  write_timing_job(job, token, conf, entry, stopwatch);
  char **environment = process_environment(runner->directory);
  struct sandbox_path inside = {runner->path, "/grading/runner"};
  struct sandbox sandbox = {.confinement = runner->on_gpu ? CONFINE_GPU : CONFINE_RUNNER,
                            .paths = &inside,
                            .path_count = 1,
                            .processes = (uint64_t)conf->thread_limit};
  struct process process = {.argv = (const char *const[]){sandbox_inside(&inside), "--job", NULL},
                            .environment = environment,
                            .directory = runner->directory,
                            .output_fd = output,
                            .fds = {{job, EXCHANGE_JOB_FD}, {report, EXCHANGE_REPORT_FD}},
                            .fd_count = 2,
                            .sandbox = getenv("KIT_NO_AS_LIMIT") ? NULL : &sandbox,
                            .sleep_seconds = (double)conf->sleep_limit + 4 * seconds,
                            .cpu_seconds = (uint64_t)((double)conf->cpu_limit + 4 * seconds),
                            .file_bytes = (uint64_t)64 << 20};
  struct process_end end;
  int turn = runner->on_gpu ? turn_take(TURN_FILE, TURN_ALONE) : -1;
  double begin = clock_seconds();
  process_run(&process, &end);
  double spent = (clock_seconds() - begin) * 1e9;
  turn_end(turn);
  json_auto_t *result = read_result(report, token);
  if (end.start_error)
    fail(timing, false, "the runner cannot be started: %s", strerror(end.start_error));
  else if (end.timed_out)
    fail(timing, true, "it slept for %.0f s while it was timed", process.sleep_seconds);
  else if (end.signal)
    fail(timing, true, "%s", signal_in_words(end.signal));
  else if (!result)
    fail(timing, true, "the program exited (status %d) while it was timed", end.exit_code);
  else
    take_result(result, spent, timing);
  check_floor(conf_family(conf, entry), entry->dims, timing);
  process_free_environment(environment);
  close(job);
  close(report);
  close(output);
}

void timing_free(struct timing *timing) {
  for (int t = 0; t < timing->count; t++) free(timing->timed[t].name);
  free_all(timing->condition, timing->error);
}

const struct timed *timing_of(const struct timing *timing, const char *name) {
  for (int t = 0; t < timing->count; t++)
    if (strcmp(timing->timed[t].name, name) == 0) return &timing->timed[t];
  return NULL;
}
