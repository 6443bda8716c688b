/* timing.c: times functions beside one another, and guards the figures against the submission.
 *
 * The submission runs in this process, so the measurement defends itself. The reference is timed
 * alone before the submission's first call, which shows whether it was slowed down later. While a
 * function is called, all measurements so far are write-protected. A thread that still runs when
 * the submission has returned ends the measurement. Outputs are checked against those of the
 * reference on fresh copies of the inputs, from a pool that is compared with its copy on the host.
 */
#include "harness/runner/timing.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

#include "harness/base/backend.h"
#include "harness/base/statistics.h"
#include "harness/runner/leftovers.h"

enum {
  MAX_SETS = 8,
  ALONE_ROUNDS = 11,
  MIN_ROUNDS = 10,
  COST_ROUNDS = 11,
  MANY_CALLS = 64,
  FLUSH_BYTES = 256 << 20, /* larger than any L2 so far (H100: 50 MB, B200: 126 MB) */
  POOL_SLACK = 1 << 20,    /* elements by which inputs are shifted at random */
};
static const double batch_ns = 100e3; /* a batch lasts at least about so long, if sets allow */
static const double warm_up_ns = 500e6, settled = 0.005;
/* Of L2's size: what is less stays there from one call to the next, what is more is gone. As
 * measured on an H100 (l2_keeps and l2_loses of harness/sim/gpus/h100.ini). */
static const double l2_keeps = 0.48, l2_loses = 0.88;

struct set { /* of inputs and outputs, for one call of a batch */
  void *arrays[PROBLEM_MAX_ARRAYS];
  size_t shifts[PROBLEM_MAX_ARRAYS]; /* where in the pool an input was taken */
};

struct sample {
  double
      event_ns;   /* a call, from event to event on the legacy stream, which waits for all others */
  double sync_ns; /* the same with the stop behind a device-wide synchronisation */
  double wall_ns; /* on the host, from before the start to after that synchronisation */
  double cold_ns; /* a single call after the L2 cache was flushed; 0: not measured */
  double waited_ns; /* event_ns where each call is waited for, see time_waited; 0: not measured */
};

struct timer { /* in pages of its own, see seal() */
  const struct timing_request *request;
  size_t mapped_bytes;
  cudaEvent_t start, stop, end;
  float *pool;      /* random values, longer than any input */
  float *pool_copy; /* the same on the host, in pages that cannot be written to */
  size_t pool_bytes;
  void *flush;
  struct set sets[MAX_SETS];
  struct set trusted; /* a set's inputs once more, and the reference's outputs for them */
  int set_count, batch;
  double cost_ns; /* what two events read more than the calls between them take */
  uint64_t random;
  bool waits[TIMING_MAX];      /* the function itself waits for the device */
  double worst[TIMING_MAX];    /* largest difference from the reference, any output */
  double alone_ns[TIMING_MAX]; /* median before the submission's first call; 0: not measured */
  double alone_waited_ns[TIMING_MAX]; /* the same of waited_ns */
  struct sample *samples[TIMING_MAX];
  int rounds;
  double begin_ns; /* of the batch that is being timed */
  struct leftovers leftovers;
  bool submission_called;
  cudaError_t error;
  const char *words; /* an error that is none of CUDA's */
};

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC_RAW, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static int arrays_of(const struct timer *timer) {
  return problem_array_count(timer->request->problem);
}

static size_t elements(const struct timer *timer, int array) {
  return problem_elements(timer->request->problem, array, timer->request->dims);
}

static size_t bytes(const struct timer *timer, int array) {
  return problem_bytes(timer->request->problem, array, timer->request->dims);
}

static bool is_input(const struct timer *timer, int array) {
  return array < timer->request->problem->input_count;
}

/* Has all gone well so far? */
static bool is_ok(const struct timer *timer) { return !timer->error && !timer->words; }

/* Keeps the first error. */
static bool check(struct timer *timer, cudaError_t error) {
  if (is_ok(timer)) timer->error = error;
  return is_ok(timer);
}

/* Read-only pages: nothing in the process can change what was measured, by mistake or not. */
static void seal(struct timer *timer, bool sealed) {
  mprotect(timer, timer->mapped_bytes, sealed ? PROT_READ : PROT_READ | PROT_WRITE);
}

static void *map_pages(size_t size) {
  void *pages = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  return pages == MAP_FAILED ? NULL : pages;
}

/* --- buffers --- */

static void allocate(struct timer *timer, void **pointer, size_t size) {
  if (is_ok(timer)) check(timer, cudaMalloc(pointer, size));
}

static void make_pool(struct timer *timer) {
  size_t count = 0;
  for (int i = 0; i < arrays_of(timer); i++)
    if (is_input(timer, i) && elements(timer, i) > count) count = elements(timer, i);
  count += POOL_SLACK;
  timer->pool_bytes = count * sizeof *timer->pool;
  timer->pool_copy = map_pages(timer->pool_bytes);
  allocate(timer, (void **)&timer->pool, timer->pool_bytes);
  if (!timer->pool_copy) check(timer, cudaErrorMemoryAllocation);
  if (!is_ok(timer)) return;
  for (size_t i = 0; i < count; i++)
    timer->pool_copy[i] = (float)(random_next(&timer->random) >> 40 | 1) * 0x1p-23f - 1.0f;
  mprotect(timer->pool_copy, timer->pool_bytes, PROT_READ);
  check(timer,
        cudaMemcpy(timer->pool, timer->pool_copy, timer->pool_bytes, cudaMemcpyHostToDevice));
}

/* The pool must be unchanged: a call that writes beyond its arrays could make all inputs alike. */
static void check_pool(struct timer *timer) {
  enum { PIECE = 1 << 20 };
  static char piece[PIECE];
  for (size_t at = 0; at < timer->pool_bytes && is_ok(timer); at += PIECE) {
    size_t size = timer->pool_bytes - at < PIECE ? timer->pool_bytes - at : PIECE;
    if (check(timer, cudaMemcpy(piece, (char *)timer->pool + at, size, cudaMemcpyDeviceToHost)) &&
        memcmp(piece, (char *)timer->pool_copy + at, size) != 0)
      timer->words = "it wrote into memory of the harness's, from which the inputs are made";
  }
}

/* How many sets of so many bytes leave L2 in the state that the rule asks for, in which calls on
 * one set, back to back, would leave it (tests/model/README.md): sets that stay there one by one
 * must do so together. */
static size_t sets_for_l2(struct timer *timer, size_t one) {
  int l2_bytes = 0, device = 0;
  check(timer, cudaGetDevice(&device));
  if (!check(timer, cudaDeviceGetAttribute(&l2_bytes, cudaDevAttrL2CacheSize, device))) return 1;
  if ((double)one > l2_loses * l2_bytes) return MAX_SETS;
  return (size_t)(l2_keeps * l2_bytes / (double)one);
}

/* As many sets as a quarter of the free memory holds and L2 allows, at least one. */
static void make_sets(struct timer *timer) {
  size_t one = 0, free_bytes = 0, total = 0;
  for (int i = 0; i < arrays_of(timer); i++) one += bytes(timer, i);
  if (!check(timer, cudaMemGetInfo(&free_bytes, &total))) return;
  size_t room = free_bytes / 4 / one, allowed = sets_for_l2(timer, one);
  if (allowed < room) room = allowed;
  int count = room < 1 ? 1 : room > MAX_SETS ? MAX_SETS : (int)room;
  for (int s = 0; s < count; s++)
    for (int i = 0; i < arrays_of(timer); i++)
      allocate(timer, &timer->sets[s].arrays[i], bytes(timer, i));
  for (int i = 0; i < arrays_of(timer); i++)
    allocate(timer, &timer->trusted.arrays[i], bytes(timer, i));
  timer->set_count = count;
}

static void release(struct timer *timer) {
  for (int s = 0; s < MAX_SETS; s++)
    for (int i = 0; i < arrays_of(timer); i++) cudaFree(timer->sets[s].arrays[i]);
  for (int i = 0; i < arrays_of(timer); i++) cudaFree(timer->trusted.arrays[i]);
  cudaFree(timer->pool);
  cudaFree(timer->flush);
  if (timer->start) cudaEventDestroy(timer->start);
  if (timer->stop) cudaEventDestroy(timer->stop);
  if (timer->end) cudaEventDestroy(timer->end);
  if (timer->pool_copy) munmap(timer->pool_copy, timer->pool_bytes);
  munmap(timer, timer->mapped_bytes);
}

/* Copies the set's inputs from the pool; outputs count as never written. */
static void fill(struct timer *timer, const struct set *set) {
  for (int i = 0; i < arrays_of(timer); i++) {
    if (is_input(timer, i))
      check(timer, cudaMemcpyAsync(set->arrays[i], timer->pool + set->shifts[i], bytes(timer, i),
                                   cudaMemcpyDeviceToDevice, NULL));
    else
      check(timer, cudaMemsetAsync(set->arrays[i], 0xff, bytes(timer, i), NULL));
  }
}

/* Gives the set other inputs. */
static void refresh(struct timer *timer, struct set *set) {
  for (int i = 0; i < arrays_of(timer); i++)
    set->shifts[i] = random_next(&timer->random) % POOL_SLACK;
  fill(timer, set);
}

static void call(struct timer *timer, int f, struct set *set) {
  const struct timing_request *request = timer->request;
  (void)request->problem->call(request->timed[f].function, set->arrays, request->dims);
}

/* --- one batch --- */

/* Threads that go on may work, or disturb others, outside of what is timed. */
static void check_threads(struct timer *timer, int threads) {
  if (threads > 0 && is_ok(timer))
    timer->words = "threads that it started still ran when it had returned; each must be joined";
}

static void call_untimed(struct timer *timer, int f, struct set *set) {
  seal(timer, true);
  call(timer, f, set);
  int threads = leftovers_threads(&timer->leftovers);
  seal(timer, false);
  check_threads(timer, threads);
}

/* Gives that many sets other inputs, and has the reference read them: as after a call on the same
 * arrays, L2 then has them where multiprocessors have read them, not where a copy has written them.
 * What it computes goes elsewhere, and is wiped out. */
static void refresh_all(struct timer *timer, int count) {
  for (int s = 0; s < count; s++) refresh(timer, &timer->sets[s]);
  for (int s = 0; s < count; s++) {
    struct set reading = timer->trusted;
    for (int i = 0; i < arrays_of(timer); i++)
      if (is_input(timer, i)) reading.arrays[i] = timer->sets[s].arrays[i];
    call_untimed(timer, timer->request->reference, &reading);
  }
  check(timer, cudaGetLastError());
  leftovers_reset();
  for (int i = 0; i < arrays_of(timer); i++)
    if (!is_input(timer, i))
      check(timer, cudaMemsetAsync(timer->trusted.arrays[i], 0xff, bytes(timer, i), NULL));
}

/* What the calls between two events took of what these read, in ns. */
static double without_cost(const struct timer *timer, double ns) {
  return fmax(ns - timer->cost_ns, 0.01 * ns); /* which a function that does nothing still takes */
}

/* Times `count` calls, each on a set of its own as far as there are so many, and waits for the
 * device so many times after each. Threads are counted before waiting for the device, while those
 * that could still launch work are there. */
static struct sample time_calls(struct timer *timer, int f, int count, int waits) {
  struct sample sample = {0};
  float event_ms = 0, sync_ms = 0;
  timer->submission_called |= f == 0;
  check(timer, cudaDeviceSynchronize());
  timer->begin_ns = now_ns();
  seal(timer, true);
  cudaError_t started = cudaEventRecord(timer->start, NULL);
  for (int s = 0; s < count; s++) {
    call(timer, f, &timer->sets[s % timer->set_count]);
    for (int w = 0; w < waits; w++) (void)cudaDeviceSynchronize(); /* errors show below */
  }
  cudaError_t launched = cudaGetLastError();
  if (launched == cudaErrorNotReady) launched = cudaSuccess; /* as in call_make */
  cudaError_t stopped = cudaEventRecord(timer->stop, NULL);
  int threads = leftovers_threads(&timer->leftovers);
  cudaError_t finished = cudaDeviceSynchronize();
  cudaError_t ended = cudaEventRecord(timer->end, NULL);
  if (!ended) ended = cudaEventSynchronize(timer->end);
  seal(timer, false);
  sample.wall_ns = (now_ns() - timer->begin_ns) / count;
  check_threads(timer, threads);
  if (check(timer, launched) && check(timer, finished) && check(timer, started) &&
      check(timer, stopped) && check(timer, ended) &&
      check(timer, cudaEventElapsedTime(&event_ms, timer->start, timer->stop)) &&
      check(timer, cudaEventElapsedTime(&sync_ms, timer->start, timer->end))) {
    sample.event_ns = without_cost(timer, (double)event_ms * 1e6) / count;
    sample.sync_ns = without_cost(timer, (double)sync_ms * 1e6) / count;
  }
  return sample;
}

/* The largest |a[i] - b[i]| of count floats in device memory; infinity if either holds a NaN.
 * Compares on the host, in pieces: the same code for every backend. */
static cudaError_t compare_arrays(const void *a, const void *b, size_t count, float *largest) {
  enum { PIECE = 1 << 18 };
  static float x[PIECE], y[PIECE];
  float max = 0;
  for (size_t at = 0; at < count; at += PIECE) {
    size_t size = count - at < PIECE ? count - at : PIECE;
    cudaError_t error =
        cudaMemcpy(x, (const float *)a + at, size * sizeof *x, cudaMemcpyDeviceToHost);
    if (!error)
      error = cudaMemcpy(y, (const float *)b + at, size * sizeof *y, cudaMemcpyDeviceToHost);
    if (error) return error;
    for (size_t i = 0; i < size; i++) {
      float difference = fabsf(x[i] - y[i]);
      if (!(difference <= max)) max = isnan(difference) ? INFINITY : difference;
    }
  }
  *largest = max;
  return cudaSuccess;
}

/* Compares the outputs of `count` sets with the reference's, on fresh copies of the inputs: the
 * function may have changed those of the sets. */
static void verify(struct timer *timer, int f, int count) {
  for (int s = 0; s < count && is_ok(timer); s++) {
    memcpy(timer->trusted.shifts, timer->sets[s].shifts, sizeof timer->trusted.shifts);
    fill(timer, &timer->trusted);
    call(timer, timer->request->reference, &timer->trusted);
    for (int i = 0; i < arrays_of(timer); i++) {
      if (is_input(timer, i)) continue;
      float difference = INFINITY;
      check(timer, compare_arrays(timer->sets[s].arrays[i], timer->trusted.arrays[i],
                                  elements(timer, i), &difference));
      if (!(difference <= timer->worst[f]))
        timer->worst[f] = isnan(difference) ? INFINITY : difference;
    }
  }
}

/* Does the function wait for the device? One that does returns behind a long fill of memory that
 * was under way when it was called. */
static bool waits_itself(struct timer *timer, int f) {
  leftovers_reset();
  refresh(timer, &timer->sets[0]);
  for (int i = 0; i < 4; i++) check(timer, cudaMemsetAsync(timer->flush, i, FLUSH_BYTES, NULL));
  check(timer, cudaEventRecord(timer->end, NULL));
  call_untimed(timer, f, &timer->sets[0]);
  cudaError_t passed = cudaEventQuery(timer->end);
  (void)cudaGetLastError();
  check(timer, cudaDeviceSynchronize());
  leftovers_reset();
  return passed == cudaSuccess;
}

/* Times a batch in which the device is idle whenever a call begins. A function that waits for its
 * kernels itself takes hardly longer here than in any other batch, and what the wait takes is seen
 * in those that do not (stopwatch.c). Those wait twice, as then both have waited once more for a
 * device that was idle already. */
static double time_waited(struct timer *timer, int f) {
  leftovers_reset();
  refresh_all(timer, timer->batch);
  double ns = time_calls(timer, f, timer->batch, f == 0 ? 1 : 2).event_ns;
  leftovers_reset();
  if (f != timer->request->reference) verify(timer, f, timer->batch);
  return ns;
}

/* all: not only the times between events and on the host. */
static struct sample time_batch(struct timer *timer, int f, bool all) {
  leftovers_reset();
  /* An untimed call first: it brings the function's code as near to the multiprocessors as that of
   * the reference, which has just been run to check another one. */
  refresh(timer, &timer->sets[0]);
  call_untimed(timer, f, &timer->sets[0]);
  leftovers_reset();
  refresh_all(timer, timer->batch);
  struct sample sample = time_calls(timer, f, timer->batch, 0);
  leftovers_reset();
  if (f != timer->request->reference) verify(timer, f, timer->batch);
  if (all && is_ok(timer)) sample.waited_ns = time_waited(timer, f);
  if (all && is_ok(timer)) timer->waits[f] &= waits_itself(timer, f);
  if (all && is_ok(timer)) {
    refresh(timer, &timer->sets[0]);
    check(timer,
          cudaMemsetAsync(timer->flush, random_next(&timer->random) & 0x7f, FLUSH_BYTES, NULL));
    leftovers_reset();
    sample.cold_ns = time_calls(timer, f, 1, 0).event_ns;
    if (f != timer->request->reference) verify(timer, f, 1);
  }
  return sample;
}

/* --- rounds --- */

/* Two calls of function f, the first of which loads its code: the time of the second. */
static double time_first_calls(struct timer *timer, int f) {
  refresh(timer, &timer->sets[0]);
  time_calls(timer, f, 1, 0);
  leftovers_reset();
  refresh(timer, &timer->sets[0]);
  return time_calls(timer, f, 1, 0).event_ns;
}

/* Runs the reference until the clocks have settled: its time no longer changes. Sets the batch. */
static void warm_up(struct timer *timer) {
  double begin = now_ns(), last = 0, fastest = INFINITY;
  int first = timer->request->count > 1; /* of the trusted functions */
  timer->batch = 1;
  for (int f = first; f < timer->request->count && is_ok(timer); f++)
    fastest = fmin(fastest, time_first_calls(timer, f));
  double calls = ceil(batch_ns / fmax(fastest, 1));
  timer->batch = calls > timer->set_count ? timer->set_count : (int)calls;
  while (is_ok(timer) && backend_is_real() && now_ns() - begin < 4 * warm_up_ns) {
    double sum = 0;
    for (int i = 0; i < 20 && is_ok(timer); i++)
      sum += time_calls(timer, timer->request->reference, timer->batch, 0).event_ns;
    bool steady = fabs(sum - last) <= settled * sum;
    last = sum;
    if (steady && now_ns() - begin > warm_up_ns) break;
  }
}

/* Finds what two events read beyond the calls between them: the first of them starts late. Of many
 * calls it is a small part, of a batch, if that is short, a large one; calls of the reference tell
 * the two apart. Where a batch is long the cost is not seen, and does not matter. */
static void find_event_cost(struct timer *timer) {
  double cost[COST_ROUNDS];
  int f = timer->request->reference, batch = timer->batch, rounds = 0;
  for (; rounds < COST_ROUNDS && is_ok(timer); rounds++) {
    refresh_all(timer, batch);
    double few = time_calls(timer, f, batch, 0).event_ns * batch;
    if (few > 2 * batch_ns) return;
    double many = time_calls(timer, f, MANY_CALLS, 0).event_ns * MANY_CALLS;
    cost[rounds] = few - batch * (many - few) / (MANY_CALLS - batch);
  }
  if (is_ok(timer)) timer->cost_ns = fmax(0, median_interval(cost, rounds).median);
}

/* Times the trusted functions while the submission has not been called yet. */
static void time_alone(struct timer *timer) {
  for (int f = 1; f < timer->request->count; f++) {
    double ns[ALONE_ROUNDS], waited[ALONE_ROUNDS];
    for (int r = 0; r < ALONE_ROUNDS && is_ok(timer); r++) {
      ns[r] = time_batch(timer, f, false).event_ns;
      waited[r] = backend_is_real() ? time_waited(timer, f) : 0;
    }
    if (!is_ok(timer)) return;
    timer->alone_ns[f] = median_interval(ns, ALONE_ROUNDS).median;
    timer->alone_waited_ns[f] = median_interval(waited, ALONE_ROUNDS).median;
  }
}

/* Is the ratio of the submission's time to every other's known well enough? */
static bool is_known(struct timer *timer) {
  double *ratios = malloc((size_t)timer->rounds * sizeof *ratios);
  bool enough = ratios != NULL;
  for (int f = 1; f < timer->request->count && enough; f++) {
    for (int r = 0; r < timer->rounds; r++)
      ratios[r] = timer->samples[f][r].event_ns / timer->samples[0][r].event_ns;
    struct interval interval = median_interval(ratios, timer->rounds);
    enough = interval.high - interval.low <= 0.02 * interval.median; /* +- 1% */
  }
  free(ratios);
  return enough;
}

static void run_rounds(struct timer *timer) {
  const struct timing_request *request = timer->request;
  double begin = now_ns();
  for (timer->rounds = 0; timer->rounds < request->max_rounds && is_ok(timer);) {
    int r = timer->rounds;
    for (int k = 0; k < request->count; k++) {
      int f = r % 2 ? request->count - 1 - k : k;
      timer->samples[f][r] = time_batch(timer, f, backend_is_real() && r % 4 < 2);
    }
    check_pool(timer);
    timer->rounds++;
    if (timer->rounds < MIN_ROUNDS || timer->rounds % 2 || request->seconds <= 0) continue;
    if (is_known(timer) || now_ns() - begin > request->seconds * 1e9) break;
  }
}

static json_t *numbers(const struct timer *timer, int f, size_t offset) {
  json_t *array = json_array();
  for (int r = 0; r < timer->rounds; r++)
    json_array_append_new(
        array, json_real(*(const double *)((const char *)&timer->samples[f][r] + offset)));
  return array;
}

static json_t *result_of(struct timer *timer, json_t *before) {
  json_t *timed = json_array();
  for (int f = 0; f < timer->request->count; f++) {
    double worst = timer->worst[f];
    json_array_append_new(
        timed, json_pack("{s:s, s:b, s:f, s:f, s:o, s:o, s:o, s:o, s:o, s:o}", "name",
                         timer->request->timed[f].name, "waits", (int)timer->waits[f], "alone_ns",
                         timer->alone_ns[f], "alone_waited_ns", timer->alone_waited_ns[f],
                         "waited_ns", numbers(timer, f, offsetof(struct sample, waited_ns)),
                         "event_ns", numbers(timer, f, offsetof(struct sample, event_ns)),
                         "sync_ns", numbers(timer, f, offsetof(struct sample, sync_ns)), "wall_ns",
                         numbers(timer, f, offsetof(struct sample, wall_ns)), "cold_ns",
                         numbers(timer, f, offsetof(struct sample, cold_ns)), "worst_difference",
                         isfinite(worst) ? json_real(worst) : json_null()));
  }
  return json_pack("{s:i, s:i, s:f, s:o, s:o, s:o}", "rounds", timer->rounds, "batch", timer->batch,
                   "event_cost_ns", timer->cost_ns, "before", before, "after", backend_condition(),
                   "timed", timed);
}

/* The timer with room for its samples, or NULL. */
static struct timer *make_timer(const struct timing_request *request) {
  size_t rounds = (size_t)request->max_rounds;
  size_t size = sizeof(struct timer) + (size_t)request->count * rounds * sizeof(struct sample);
  struct timer *timer = map_pages(size);
  if (!timer) return NULL;
  *timer = (struct timer){.request = request, .mapped_bytes = size, .random = request->seed};
  for (int f = 0; f < request->count; f++) timer->waits[f] = backend_is_real();
  for (int f = 0; f < request->count; f++)
    timer->samples[f] = (struct sample *)(timer + 1) + (size_t)f * rounds;
  return timer;
}

json_t *timing_run(const struct timing_request *request, const char **error, int *blame) {
  json_t *result = NULL, *before = NULL;
  if (request->at_start && leftovers_threads(request->at_start) > 0) {
    *error = "a thread was started before the function was called, by a global object";
    *blame = 0;
    return NULL;
  }
  *error = "out of memory";
  *blame = -1;
  struct timer *timer = make_timer(request);
  if (!timer) return NULL;
  make_sets(timer);
  make_pool(timer);
  if (backend_is_real()) allocate(timer, &timer->flush, FLUSH_BYTES);
  if (is_ok(timer))
    check(timer, cudaEventCreate(&timer->start)), check(timer, cudaEventCreate(&timer->stop)),
        check(timer, cudaEventCreate(&timer->end));
  if (is_ok(timer)) warm_up(timer);
  if (is_ok(timer) && backend_is_real()) find_event_cost(timer);
  if (is_ok(timer)) time_alone(timer);
  leftovers_begin(&timer->leftovers);
  if (is_ok(timer)) time_first_calls(timer, 0);
  before = backend_condition();
  if (is_ok(timer)) run_rounds(timer);
  if (is_ok(timer))
    result = result_of(timer, before);
  else
    json_decref(before);
  *error = timer->error ? cudaGetErrorString(timer->error) : timer->words;
  /* Without it all went well so far. */
  *blame = timer->submission_called ? 0 : -1;
  release(timer);
  return result;
}
