/* test_runner_timing.c: what a grading on a GPU makes of a submission's time (timing.c,
 * stopwatch.c), with a GPU and a clock that are made up: a launch costs the host 2 us and begins 3
 * us later, a kernel follows the one before by 0.8 us, a wait ends 2.5 us after the last. This
 * program is the runner, too. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <cmocka.h>

#include <cuda_runtime_api.h>

#include "grader/run/stopwatch.h"
#include "harness/base/backend.h"
#include "harness/base/exchange.h"
#include "harness/runner/leftovers.h"

/* --- the GPU --- */

enum { LAUNCH = 2000, START = 3000, GAP = 800, WAKE = 2500, IDLE = 700, RECORD = 500, N = 64 };
enum { L2_BYTES = 60 << 20, LARGE = 64 << 20 };

static double now = 1e6, device_idle; /* ns */

static void work(double ns) {
  now += LAUNCH;
  device_idle = fmax(device_idle + GAP, now + START) + ns;
}

static void wait_for_device(double wake) {
  now = now < device_idle ? device_idle + wake : now + IDLE;
}

static int gpu_clock(clockid_t id, struct timespec *t) {
  (void)id;
  now += 20;
  t->tv_sec = (time_t)(now / 1e9);
  t->tv_nsec = (long)fmod(now, 1e9);
  return 0;
}

static cudaError_t gpu_synchronize(void) { return wait_for_device(WAKE), cudaSuccess; }

struct event {
  double at;
};
static cudaError_t gpu_event_create(cudaEvent_t *event) {
  *event = calloc(1, sizeof(struct event));
  return cudaSuccess;
}
static cudaError_t gpu_event_destroy(cudaEvent_t event) { return free(event), cudaSuccess; }
static cudaError_t gpu_event_record(cudaEvent_t event, cudaStream_t stream) {
  (void)stream;
  now += RECORD;
  ((struct event *)event)->at = device_idle = fmax(device_idle, now + START);
  return cudaSuccess;
}
static cudaError_t gpu_event_synchronize(cudaEvent_t event) {
  return (void)event, wait_for_device(WAKE), cudaSuccess;
}
static cudaError_t gpu_event_query(cudaEvent_t event) {
  return now < ((struct event *)event)->at ? cudaErrorNotReady : cudaSuccess;
}
static cudaError_t gpu_elapsed(float *ms, cudaEvent_t start, cudaEvent_t stop) {
  *ms = (float)((((struct event *)stop)->at - ((struct event *)start)->at) / 1e6);
  return cudaSuccess;
}

/* Memory that a copy has written: by its first byte, until a kernel has read it. */
static const void *copied[64];
static bool take_copied(const void *memory) {
  for (size_t i = 0; i < sizeof copied / sizeof *copied; i++)
    if (copied[i] == memory) return copied[i] = NULL, true;
  return false;
}
static void note_copied(const void *memory) {
  take_copied(memory);
  for (size_t i = 0; i < sizeof copied / sizeof *copied; i++)
    if (!copied[i]) {
      copied[i] = memory;
      return;
    }
}

static cudaError_t gpu_malloc(void **memory, size_t bytes) {
  return (*memory = malloc(bytes)) ? cudaSuccess : cudaErrorMemoryAllocation;
}
static cudaError_t gpu_free(void *memory) { return free(memory), cudaSuccess; }
static cudaError_t gpu_copy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind) {
  (void)kind;
  wait_for_device(WAKE);
  memcpy(to, from, bytes);
  return cudaSuccess;
}
static cudaError_t gpu_copy_async(void *to, const void *from, size_t bytes,
                                  enum cudaMemcpyKind kind, cudaStream_t stream) {
  (void)kind, (void)stream;
  work(1000);
  memcpy(to, from, bytes);
  note_copied(to);
  return cudaSuccess;
}
static cudaError_t gpu_fill_async(void *to, int value, size_t bytes, cudaStream_t stream) {
  (void)stream;
  work(bytes < LARGE ? 1000 : 60000);
  if (bytes < LARGE) memset(to, value, bytes);
  return cudaSuccess;
}
static cudaError_t gpu_memory(size_t *free_bytes, size_t *total) {
  *free_bytes = *total = (size_t)1 << 34;
  return cudaSuccess;
}
static cudaError_t gpu_device(int *device) { return *device = 0, cudaSuccess; }
static cudaError_t gpu_attribute(int *value, enum cudaDeviceAttr attribute, int device) {
  (void)attribute, (void)device;
  return *value = L2_BYTES, cudaSuccess;
}
static cudaError_t gpu_last_error(void) { return cudaSuccess; }

#define clock_gettime gpu_clock
#define cudaDeviceSynchronize gpu_synchronize
#undef cudaEventCreate
#define cudaEventCreate gpu_event_create
#define cudaEventDestroy gpu_event_destroy
#define cudaEventRecord gpu_event_record
#define cudaEventQuery gpu_event_query
#define cudaEventSynchronize gpu_event_synchronize
#undef cudaEventElapsedTime
#define cudaEventElapsedTime gpu_elapsed
#undef cudaMalloc
#define cudaMalloc gpu_malloc
#define cudaFree gpu_free
#define cudaMemcpy gpu_copy
#define cudaMemcpyAsync gpu_copy_async
#define cudaMemsetAsync gpu_fill_async
#define cudaMemGetInfo gpu_memory
#define cudaGetDevice gpu_device
#define cudaDeviceGetAttribute gpu_attribute
#define cudaGetLastError gpu_last_error
#define backend_is_real() true
#define backend_condition() json_object()
#define leftovers_begin(leftovers) (void)(leftovers)
#define leftovers_threads(leftovers) ((void)(leftovers), 0)
#define leftovers_reset() (void)0
#define timing_run timing_run_on_gpu
#include "harness/runner/timing.c"

/* --- the functions: out = 2 in --- */

typedef void function(const float *in, float *out);

/* A kernel that takes `ns`, and `first` more for what a copy has written just now. */
static void kernel(const float *in, float *out, double ns, double first) {
  for (int i = 0; i < N; i++) out[i] = 2 * in[i];
  work(ns + (take_copied(in) ? first : 0));
}

static void reference(const float *in, float *out) { kernel(in, out, 5000, 1500); }
static void waits(const float *in, float *out) { reference(in, out), gpu_synchronize(); }
static void waits_twice(const float *in, float *out) { waits(in, out), gpu_synchronize(); }
static void slower(const float *in, float *out) { kernel(in, out, 10800, 1500); }
static void slower_waits(const float *in, float *out) { slower(in, out), gpu_synchronize(); }
static void sleeps(const float *in, float *out) { reference(in, out), now += 27000; }
static void works_before(const float *in, float *out) { now += 27000, waits(in, out); }
static void works_meanwhile(const float *in, float *out) {
  reference(in, out), now += 27000, gpu_synchronize();
}
static void works_after(const float *in, float *out) {
  kernel(in, out, 500, 0), gpu_synchronize(), kernel(in, out, 10300, 1500);
}
static void asks(const float *in, float *out) { slower(in, out), wait_for_device(WAKE - 500); }
static void reads_late(const float *in, float *out) { kernel(in, out, 5000, 9000); }

/* Its time in the reference's: of kernels and the gaps before them, 5.8 us. */
static const struct {
  const char *name;
  function *f;
  double least, most;
} cases[] = {
    {"reference", reference, 0.99, 1.01},
    {"waits", waits, 0.99, 1.01},
    {"waits_twice", waits_twice, 0.99, 1.15},
    {"slower", slower, 1.99, 2.01}, /* 11.6 us */
    {"slower_waits", slower_waits, 1.98, 2.02},
    {"sleeps", sleeps, 4.9, 5.1}, /* 29 us, and the kernel beside it */
    {"works_before", works_before, 5.4, 6},
    {"works_meanwhile", works_meanwhile, 3.5, 6}, /* as long as 27 us beside 11 to wait for */
    {"works_after", works_after, 2, 4},
    {"asks", asks, 1.9, 2.02}, /* sooner than a wait ends */
    {"reads_late", reads_late, 0.99, 1.01},
};
enum { CASES = sizeof cases / sizeof *cases };

static int call_function(void *f, void *const *arrays, const long *dims) {
  (void)dims;
  ((function *)f)(arrays[0], arrays[1]);
  return 0;
}

static const struct problem doubling = {
    .name = "doubling",
    .dim_count = 1,
    .dims = {"N"},
    .input_count = 1,
    .output_count = 1,
    .arrays = {{"in", sizeof(float), LENGTH_1, 0, NULL}, {"out", sizeof(float), LENGTH_1, 0, NULL}},
    .call = call_function,
};

static int runner(void) {
  struct frame_header header;
  void *job;
  if (frame_read(EXCHANGE_JOB_FD, &header, &job, 1 << 20) != 1) return 2;
  const long dims[] = {N};
  struct timing_request request = {.problem = &doubling,
                                   .dims = dims,
                                   .timed = {{"submission", NULL}, {"reference", reference}},
                                   .count = 2,
                                   .reference = 1,
                                   .seconds = 0.5,
                                   .max_rounds = 12,
                                   .seed = 1};
  for (int i = 0; i < CASES; i++)
    if (strcmp(cases[i].name, getenv("KIT_FAKE")) == 0)
      request.timed[0].function = (void *)cases[i].f;
  const char *error;
  int blame;
  json_t *result = timing_run_on_gpu(&request, &error, &blame);
  if (!result) return 2;
  char *text = json_dumps(result, JSON_COMPACT);
  nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL); /* longer than all made-up times */
  frame_write(EXCHANGE_REPORT_FD, FRAME_TIMING, header.token, text, strlen(text));
  return 0;
}

/* --- the grader --- */

static double ratio_of(const char *name) {
  static const struct family family = {.problem = &doubling};
  char case_name[] = "n64";
  struct case_conf entry = {.name = case_name, .dims = {N}, .sets = 1};
  struct conf conf = {
      .family = &family, .cases = &entry, .case_count = 1, .sleep_limit = 5, .cpu_limit = 60};
  struct timing timing;
  setenv("KIT_FAKE", name, 1);
  stopwatch_run(&(struct runner){.path = "/proc/self/exe", .directory = "/"}, &conf, 0,
                &(struct stopwatch){.seconds = 0.5}, &timing);
  if (!timing.measured) fail_msg("%s: %s", name, timing.error);
  double ratio = timing_of(&timing, "reference")->ratio.median;
  assert_true(timing.timed[0].worst == 0);
  timing_free(&timing);
  return ratio;
}

static void test_ratios(void **state) {
  (void)state;
  int wrong = 0;
  for (int i = 0; i < CASES; i++) {
    double ratio = ratio_of(cases[i].name);
    if (ratio >= cases[i].least && ratio <= cases[i].most) continue;
    print_error("%s: %.3f, not %g to %g\n", cases[i].name, ratio, cases[i].least, cases[i].most);
    wrong++;
  }
  assert_int_equal(wrong, 0);
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--job") == 0) return runner();
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_ratios)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
