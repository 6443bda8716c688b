/* timing.c: see timing.h. */
#include "timing.h"

#include <cuda_runtime_api.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "backend.h"
#include "compare.h"
#include "problem.h"
#include "statistics.h"

enum {
  MOST_SETS = 8,
  LEAST_ROUNDS = 10,
  FLUSH_BYTES = 256 << 20, /* larger than any L2 so far (H100: 50 MB, B200: 126 MB) */
  POOL_SLACK = 1 << 20,    /* elements by which inputs are shifted at random */
};
static const double batch_ns = 100e3; /* a batch lasts at least about so long, if sets allow */
static const double warm_up_ns = 500e6, settled = 0.005;

struct set { /* of inputs and outputs, for one call of a batch */
  void *arrays[PROBLEM_MAX_ARRAYS];
};

struct sample {
  double
      event_ns;   /* a call, from event to event on the legacy stream, which waits for all others */
  double sync_ns; /* the same with the stop behind a device-wide synchronisation */
  double wall_ns; /* on the host, from before the start to after that synchronisation */
  double cold_ns; /* a single call after the L2 cache was flushed; 0: not measured */
};

struct timer {
  const struct timing_request *request;
  cudaEvent_t start, stop, end;
  float *pool; /* random values, longer than any input */
  void *flush;
  struct set sets[MOST_SETS];
  void *expected[PROBLEM_MAX_ARRAYS]; /* the reference's outputs of one set */
  int set_count, batch;
  uint64_t random;
  double worst[TIMING_MOST]; /* largest difference from the reference, any output */
  struct sample *samples[TIMING_MOST];
  int rounds;
  cudaError_t error;
  int blame;
};

static uint64_t next_random(uint64_t *state) { /* splitmix64 */
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

static double now_ns(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC_RAW, &t);
  return (double)t.tv_sec * 1e9 + (double)t.tv_nsec;
}

static size_t elements(const struct timer *timer, int array) {
  const int *dims = timer->request->dims;
  return (size_t)dims[problem.arrays[array].rows] * (size_t)dims[problem.arrays[array].columns];
}

static size_t bytes(const struct timer *timer, int array) {
  return elements(timer, array) * problem.arrays[array].element_size;
}

static bool is_input(int array) { return problem.arrays[array].role == BACKEND_INPUT; }

/* Did a call go well? The first that did not is kept. */
static bool good(struct timer *timer, cudaError_t error) {
  if (error && !timer->error) timer->error = error;
  return !timer->error;
}

/* --- buffers --- */

static void allocate(struct timer *timer, void **pointer, size_t size) {
  if (good(timer, cudaSuccess)) good(timer, cudaMalloc(pointer, size));
}

static void make_pool(struct timer *timer) {
  size_t most = 0;
  for (int i = 0; i < problem.array_count; i++)
    if (is_input(i) && elements(timer, i) > most) most = elements(timer, i);
  most += POOL_SLACK;
  float *host = malloc(most * sizeof *host);
  allocate(timer, (void **)&timer->pool, most * sizeof *host);
  if (!host) good(timer, cudaErrorMemoryAllocation);
  if (good(timer, cudaSuccess)) {
    for (size_t i = 0; i < most; i++)
      host[i] = (float)(next_random(&timer->random) >> 40 | 1) * 0x1p-23f - 1.0f;
    good(timer, cudaMemcpy(timer->pool, host, most * sizeof *host, cudaMemcpyHostToDevice));
  }
  free(host);
}

/* As many sets as a quarter of the free memory holds, at least one. */
static void make_sets(struct timer *timer) {
  size_t one = 0, free_bytes = 0, total = 0;
  for (int i = 0; i < problem.array_count; i++) one += bytes(timer, i);
  if (!good(timer, cudaMemGetInfo(&free_bytes, &total))) return;
  size_t room = free_bytes / 4 / one;
  int count = room < 1 ? 1 : room > MOST_SETS ? MOST_SETS : (int)room;
  for (int s = 0; s < count; s++)
    for (int i = 0; i < problem.array_count; i++)
      allocate(timer, &timer->sets[s].arrays[i], bytes(timer, i));
  for (int i = 0; i < problem.array_count; i++)
    if (!is_input(i)) allocate(timer, &timer->expected[i], bytes(timer, i));
  timer->set_count = count;
}

static void release(struct timer *timer) {
  for (int s = 0; s < MOST_SETS; s++)
    for (int i = 0; i < problem.array_count; i++) cudaFree(timer->sets[s].arrays[i]);
  for (int i = 0; i < problem.array_count; i++) cudaFree(timer->expected[i]);
  cudaFree(timer->pool);
  cudaFree(timer->flush);
  if (timer->start) cudaEventDestroy(timer->start);
  if (timer->stop) cudaEventDestroy(timer->stop);
  if (timer->end) cudaEventDestroy(timer->end);
  for (int f = 0; f < TIMING_MOST; f++) free(timer->samples[f]);
}

/* Other inputs, and outputs that were never written. */
static void refresh(struct timer *timer, struct set *set) {
  for (int i = 0; i < problem.array_count; i++) {
    if (is_input(i)) {
      size_t shift = next_random(&timer->random) % POOL_SLACK;
      good(timer, cudaMemcpyAsync(set->arrays[i], timer->pool + shift, bytes(timer, i),
                                  cudaMemcpyDeviceToDevice, NULL));
    } else {
      good(timer, cudaMemsetAsync(set->arrays[i], 0xff, bytes(timer, i), NULL));
    }
  }
}

/* --- one batch --- */

static void call(struct timer *timer, int f, struct set *set) {
  problem.call(timer->request->timed[f].function, set->arrays, timer->request->dims);
}

/* Times `count` calls, each on a set of its own. */
static struct sample time_calls(struct timer *timer, int f, int count) {
  struct sample sample = {0};
  float event_ms = 0, sync_ms = 0;
  good(timer, cudaDeviceSynchronize());
  double begin = now_ns();
  good(timer, cudaEventRecord(timer->start, NULL));
  for (int s = 0; s < count; s++) call(timer, f, &timer->sets[s]);
  cudaError_t launched = cudaGetLastError();
  good(timer, cudaEventRecord(timer->stop, NULL));
  cudaError_t finished = cudaDeviceSynchronize();
  good(timer, cudaEventRecord(timer->end, NULL));
  good(timer, cudaEventSynchronize(timer->end));
  sample.wall_ns = (now_ns() - begin) / count;
  if (!timer->error && (launched || finished)) {
    timer->error = launched ? launched : finished;
    timer->blame = f;
  }
  if (good(timer, cudaEventElapsedTime(&event_ms, timer->start, timer->stop)) &&
      good(timer, cudaEventElapsedTime(&sync_ms, timer->start, timer->end))) {
    sample.event_ns = (double)event_ms * 1e6 / count;
    sample.sync_ns = (double)sync_ms * 1e6 / count;
  }
  return sample;
}

/* Compares the outputs of `count` sets with the reference's. */
static void verify(struct timer *timer, int f, int count) {
  struct set mine;
  for (int s = 0; s < count && !timer->error; s++) {
    mine = timer->sets[s];
    for (int i = 0; i < problem.array_count; i++)
      if (!is_input(i)) mine.arrays[i] = timer->expected[i];
    call(timer, timer->request->reference, &mine);
    for (int i = 0; i < problem.array_count; i++) {
      if (is_input(i)) continue;
      float difference = INFINITY;
      good(timer, compare_arrays(timer->sets[s].arrays[i], timer->expected[i], elements(timer, i),
                                 &difference));
      if (!(difference <= timer->worst[f]))
        timer->worst[f] = isnan(difference) ? INFINITY : difference;
    }
  }
}

static struct sample time_batch(struct timer *timer, int f, bool cold) {
  /* Untimed: the function's code is then as near to the multiprocessors as that of the reference,
   * which has just been run to check another one. */
  refresh(timer, &timer->sets[0]);
  call(timer, f, &timer->sets[0]);
  for (int s = 0; s < timer->batch; s++) refresh(timer, &timer->sets[s]);
  struct sample sample = time_calls(timer, f, timer->batch);
  if (f != timer->request->reference) verify(timer, f, timer->batch);
  if (cold && !timer->error) {
    refresh(timer, &timer->sets[0]);
    good(timer,
         cudaMemsetAsync(timer->flush, next_random(&timer->random) & 0x7f, FLUSH_BYTES, NULL));
    backend_reset_l2();
    sample.cold_ns = time_calls(timer, f, 1).event_ns;
    if (f != timer->request->reference) verify(timer, f, 1);
  }
  return sample;
}

/* --- all of it --- */

/* Runs the reference until the clocks have settled: its time no longer changes. Sets the batch. */
static void warm_up(struct timer *timer) {
  double begin = now_ns(), last = 0, fastest = INFINITY;
  timer->batch = 1;
  for (int f = 0; f < timer->request->count && !timer->error; f++) {
    refresh(timer, &timer->sets[0]);
    time_calls(timer, f, 1); /* loads its code */
    refresh(timer, &timer->sets[0]);
    double ns = time_calls(timer, f, 1).event_ns;
    if (ns < fastest) fastest = ns;
  }
  double calls = ceil(batch_ns / fmax(fastest, 1));
  timer->batch = calls > timer->set_count ? timer->set_count : (int)calls;
  while (!timer->error && backend_is_real() && now_ns() - begin < 4 * warm_up_ns) {
    double sum = 0;
    for (int i = 0; i < 20 && !timer->error; i++)
      sum += time_calls(timer, timer->request->reference, timer->batch).event_ns;
    bool steady = fabs(sum - last) <= settled * sum;
    last = sum;
    if (steady && now_ns() - begin > warm_up_ns) break;
  }
}

/* Is the ratio of the submission's time to every other's known well enough? */
static bool known(struct timer *timer) {
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
  for (timer->rounds = 0; timer->rounds < request->rounds_most && !timer->error;) {
    int r = timer->rounds;
    for (int k = 0; k < request->count; k++) {
      int f = r % 2 ? request->count - 1 - k : k;
      timer->samples[f][r] = time_batch(timer, f, r % 4 < 2);
    }
    timer->rounds++;
    if (timer->rounds < LEAST_ROUNDS || timer->rounds % 2 || request->seconds <= 0) continue;
    if (known(timer) || now_ns() - begin > request->seconds * 1e9) break;
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
        timed, json_pack("{s:s, s:o, s:o, s:o, s:o, s:o}", "name", timer->request->timed[f].name,
                         "event_ns", numbers(timer, f, offsetof(struct sample, event_ns)),
                         "sync_ns", numbers(timer, f, offsetof(struct sample, sync_ns)), "wall_ns",
                         numbers(timer, f, offsetof(struct sample, wall_ns)), "cold_ns",
                         numbers(timer, f, offsetof(struct sample, cold_ns)), "worst_difference",
                         isfinite(worst) ? json_real(worst) : json_null()));
  }
  return json_pack("{s:i, s:i, s:o, s:o, s:o}", "rounds", timer->rounds, "batch", timer->batch,
                   "before", before, "after", backend_condition(), "timed", timed);
}

json_t *timing_run(const struct timing_request *request, const char **error, int *blame) {
  struct timer timer = {.request = request, .random = request->seed, .blame = -1};
  json_t *result = NULL;
  for (int f = 0; f < request->count; f++) {
    timer.samples[f] = calloc((size_t)request->rounds_most, sizeof *timer.samples[f]);
    if (!timer.samples[f]) timer.error = cudaErrorMemoryAllocation;
  }
  make_sets(&timer);
  make_pool(&timer);
  allocate(&timer, &timer.flush, FLUSH_BYTES);
  if (!timer.error)
    good(&timer, cudaEventCreate(&timer.start)), good(&timer, cudaEventCreate(&timer.stop)),
        good(&timer, cudaEventCreate(&timer.end));
  if (!timer.error) warm_up(&timer);
  json_t *before = backend_condition();
  if (!timer.error) run_rounds(&timer);
  if (!timer.error)
    result = result_of(&timer, before);
  else
    json_decref(before);
  *error = timer.error ? cudaGetErrorString(timer.error) : NULL;
  *blame = timer.blame;
  release(&timer);
  return result;
}
