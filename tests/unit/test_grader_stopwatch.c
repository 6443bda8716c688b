/* test_grader_stopwatch.c: medians and their intervals, and what the grader makes of times that a
 * runner reports. This program is the runner, too. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "grader/run/stopwatch.h"
#include "harness/base/exchange.h"

extern const struct family family_matmul;

/* --- the runner: reports 20 rounds of 2 calls --- */

static void add_series(json_t *timed, const char *key, double value, double step) {
  json_t *list = json_array();
  for (int r = 0; r < 20; r++) json_array_append_new(list, json_real(value + step * (r % 5)));
  json_object_set_new(timed, key, list);
}

static json_t *timed(const char *name, double event, double sync, double wall, double step) {
  json_t *object = json_pack("{s:s, s:f}", "name", name, "worst_difference", 0.25);
  add_series(object, "event_ns", event, step);
  add_series(object, "sync_ns", sync, step);
  add_series(object, "wall_ns", wall, step);
  add_series(object, "cold_ns", 2 * event, 0);
  add_series(object, "waited_ns", 0, 0);
  return object;
}

/* Short calls, of which waited is the time where each is waited for, in us. Those that take longer
 * than the reference return when all is done. */
static json_t *short_calls(const char *name, double event, double waited) {
  json_t *object = timed(name, 1e3 * event, 1e3 * event, 1e3 * event, 0);
  add_series(object, "waited_ns", 1e3 * waited, 10);
  json_object_set_new(object, "waits", json_boolean(event > 5));
  return object;
}

/* Each waits for the device or pretends to. The reference: 5 us back to back, 13 us waited for; a
 * kernel as fast in a function that waits takes 13 us in both. */
static const struct {
  const char *fake;
  double event, waited; /* us */
  double alone_cost;    /* what the wait took the reference before; 0: as long as beside this */
  double ratio;         /* what its time must be found to be, in the reference's */
} waits[] = {
    {"waits", 13, 13.0, 0, 1},           /* and is as fast */
    {"waits_slower", 18, 18.2, 0, 2.04}, /* its kernel takes 10.2 us */
    {"does_not", 5, 13, 0, 1},           {"does_not_slower", 12, 20, 0, 2.4},
    {"launches_bound_it", 5, 11, 0, 1}, /* a faster kernel that nobody waits for */
    {"sleeps", 33, 38, 0, 6.6},         /* 30 us on the host, beside the kernel */
    {"half_of_it", 13, 17.5, 0, 2.6},   /* 4.5 us of its work are behind its own wait */
    {"slows_waiting", 13, 13, 6, 1.4},  /* the reference's, too: 6 us alone */
};

static json_t *waiting_report(const char *fake) {
  for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
    if (strcmp(waits[i].fake, fake) != 0) continue;
    json_t *reference = short_calls("reference", 5, 13);
    if (waits[i].alone_cost > 0) {
      json_object_set_new(reference, "alone_ns", json_real(5e3));
      json_object_set_new(reference, "alone_waited_ns", json_real(5e3 + 1e3 * waits[i].alone_cost));
    }
    return json_pack("{s:i, s:i, s:{}, s:{}, s:[o, o]}", "rounds", 20, "batch", 8, "before",
                     "after", "timed", short_calls("submission", waits[i].event, waits[i].waited),
                     reference);
  }
  return NULL;
}

static int fake_runner(void) {
  struct frame_header header;
  void *job;
  if (frame_read(EXCHANGE_JOB_FD, &header, &job, 1 << 20) != 1) return 2;
  const char *fake = getenv("KIT_FAKE");
  double ms = 1e6; /* in ns; calls of 1 ms, the reference's of 2 ms */
  json_t *mine = timed("submission", ms, 1.01 * ms, 1.02 * ms, 1000);
  if (strcmp(fake, "late") == 0) mine = timed("submission", 0.1 * ms, ms, 1.02 * ms, 1000);
  if (strcmp(fake, "half") == 0) mine = timed("submission", 0.5 * ms, 1.01 * ms, 1.02 * ms, 1000);
  if (strcmp(fake, "clock") == 0) mine = timed("submission", 0.1 * ms, 0.1 * ms, ms, 1000);
  if (strcmp(fake, "long") == 0) mine = timed("submission", 1e6 * ms, 1e6 * ms, 1e6 * ms, 0);
  if (strcmp(fake, "negative") == 0) mine = timed("submission", -ms, ms, ms, 0);
  if (strcmp(fake, "silent") == 0) exit(0);
  json_t *result = json_pack("{s:i, s:i, s:{s:i}, s:{s:i, s:[s], s:i}, s:[o, o]}", "rounds", 20,
                             "batch", 2, "before", "sm_clock_mhz", 1980, "after", "sm_clock_mhz",
                             1400, "throttle", "power cap", "other_processes", 1, "timed", mine,
                             timed("reference", 2 * ms, 2.01 * ms, 2.02 * ms, 0));
  if (strcmp(fake, "slows") == 0) /* the reference, which took 1.2 ms alone */
    json_object_set_new(json_array_get(json_object_get(result, "timed"), 1), "alone_ns",
                        json_real(1.2 * ms));
  json_t *waiting = waiting_report(fake);
  if (waiting) result = waiting;
  if (strcmp(fake, "error") == 0)
    result = json_pack("{s:s, s:s}", "error", "an illegal memory access", "blame", "submission");
  char *text = json_dumps(result, JSON_COMPACT);
  usleep(200000); /* 20 rounds x 2 calls x (1 + 2) ms, and a little */
  frame_write(EXCHANGE_REPORT_FD, FRAME_TIMING, header.token, text, strlen(text));
  return 0;
}

/* --- tests --- */

static struct timing measure(const char *behaviour) {
  char name[] = "n8";
  struct case_conf entry = {.name = name, .dims = {8, 8, 8}, .sets = 1};
  struct conf conf = {.family = &family_matmul,
                      .cases = &entry,
                      .case_count = 1,
                      .sleep_limit = 5,
                      .cpu_limit = 60};
  struct timing timing;
  setenv("KIT_FAKE", behaviour, 1);
  stopwatch_run(&(struct runner){.path = "/proc/self/exe", .directory = "/"}, &conf, 0,
                &(struct stopwatch){.seconds = 0.5}, &timing);
  return timing;
}

static void test_median(void **state) {
  (void)state;
  double odd[] = {5, 1, 3}, even[] = {4, 1, 3, 2}, ten[10], hundred[100];
  assert_true(median_interval(odd, 3).median == 3);
  assert_true(median_interval(even, 4).median == 2.5);
  for (int i = 0; i < 10; i++) ten[i] = 10 - i;
  for (int i = 0; i < 100; i++) hundred[i] = (i * 37) % 100 + 1; /* 1 to 100, shuffled */
  /* Tables of order statistics: for n = 10 the 2nd and the 9th cover the median with 97.9%, the 3rd
   * and the 8th only with 89.1%; for n = 100 the 40th and the 61st with 96.5%. */
  struct interval of_ten = median_interval(ten, 10), of_hundred = median_interval(hundred, 100);
  assert_true(of_ten.low == 2 && of_ten.median == 5.5 && of_ten.high == 9);
  assert_true(of_hundred.low == 40 && of_hundred.median == 50.5 && of_hundred.high == 61);
  assert_true(isnan(median_interval(NULL, 0).median));
}

static void test_honest(void **state) {
  (void)state;
  struct timing timing = measure("honest");
  assert_true(timing.measured);
  assert_null(timing.error);
  const struct timed *mine = timing_of(&timing, "submission"),
                     *reference = timing_of(&timing, "reference");
  assert_true(fabs(mine->ns.median - 1.002e6) < 1 && mine->deviation_ns > 1000);
  assert_true(fabs(mine->mean_ns - 1.002e6) < 1); /* of 1.000, 1.001, ... 1.004 */
  assert_true(fabs(reference->ratio.median - 0.501) < 1e-6);
  assert_true(mine->cold_ns.median == 2e6);
  assert_true(mine->worst == 0.25);
  assert_null(timing_of(&timing, "baseline"));
  assert_true(timing.shared);
  assert_non_null(strstr(timing.condition, "1980 to 1400 MHz; throttled: power cap"));
  timing_free(&timing);
}

/* The median of the submission's time, of 1 ms in truth and whatever its events say, is that. */
static void expect_truth(const char *behaviour) {
  struct timing timing = measure(behaviour);
  assert_true(timing.measured);
  double ms = timing.timed[0].ns.median / 1e6;
  if (!(ms > 0.97 && ms < 1.01)) fail_msg("%s: %g ms", behaviour, ms);
  timing_free(&timing);
}

/* Work that goes on behind the second event, or a clock that stands still, gains nothing. */
static void test_hidden_work(void **state) {
  (void)state;
  expect_truth("late");
  expect_truth("half");
  expect_truth("clock");
}

/* What slows the reference gains nothing: it counts as before the submission's first call. */
static void test_slowed_reference(void **state) {
  (void)state;
  struct timing timing = measure("slows");
  assert_true(timing.measured);
  const struct timed *reference = timing_of(&timing, "reference");
  assert_true(fabs(reference->ns.median - 1.05 * 1.2e6) < 1);
  assert_true(reference->ratio.median > 1.002 / (1.05 * 1.2) - 1e-6);
  assert_non_null(strstr(timing.condition, "the reference took 1.67 times as long as alone"));
  timing_free(&timing);
}

/* Whoever waits for the device has the time of its kernels; whoever works meanwhile, or later, has
 * all of it, and so has whoever makes waiting slow. */
static void test_waiting(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof waits / sizeof *waits; i++) {
    struct timing timing = measure(waits[i].fake);
    assert_true(timing.measured);
    double ratio = timing_of(&timing, "reference")->ratio.median;
    if (!(fabs(ratio - waits[i].ratio) < 0.01)) fail_msg("%s: %g", waits[i].fake, ratio);
    bool taken_off = timing.timed[0].waiting_ns > 0;
    assert_int_equal(taken_off, ratio * 5 < waits[i].event - 0.1);
    assert_int_equal(strstr(timing.condition, "it waits for the device itself") != NULL, taken_off);
    timing_free(&timing);
  }
}

static void test_floor(void **state) {
  (void)state;
  struct peaks h100 = {.flops_per_ns = 66908, .l2_bytes_per_ns = 33454, .dram_bytes_per_ns = 3352};
  assert_true(fabs(peaks_floor(&h100, 3 * 4 * 512 * 512, 2.0 * 512 * 512 * 512) - 4012) < 1);
  assert_true(fabs(peaks_floor(&h100, 8 << 20, 0) - 250.7) < 0.1);
  assert_true(peaks_floor(&(struct peaks){0}, 1e9, 1e9) == 0); /* not known: refuses nothing */
}

static void expect_blame(const char *behaviour, const char *words) {
  struct timing timing = measure(behaviour);
  assert_false(timing.measured);
  assert_true(timing.blame_program);
  if (!strstr(timing.error, words)) fail_msg("'%s' lacks '%s'", timing.error, words);
  timing_free(&timing);
}

static void test_false_reports(void **state) {
  (void)state;
  expect_blame("long", "add up to more than the program's run time");
  expect_blame("negative", "damaged");
  expect_blame("silent", "the program exited");
  expect_blame("error", "illegal memory access");
}

int main(int argc, char **argv) {
  if (argc > 1 && strcmp(argv[1], "--job") == 0) return fake_runner();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_median),        cmocka_unit_test(test_honest),
      cmocka_unit_test(test_hidden_work),   cmocka_unit_test(test_slowed_reference),
      cmocka_unit_test(test_waiting),       cmocka_unit_test(test_floor),
      cmocka_unit_test(test_false_reports),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
