/* test_grader_lanes.c: runs of lanes (base/lane_runs.h) give back the offsets they were made of,
 * and what a report cannot hold is refused. */
#include "harness/base/lane_runs.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

static const int64_t limit = INT64_C(1) << 50;

static void check(const int64_t *offsets, int most) {
  int64_t numbers[MAX_RUN_NUMBERS], back[RUN_LANES];
  int count = lane_runs(offsets, numbers);
  assert_in_range(count, 3, most);
  memset(back, 0x55, sizeof back);
  assert_true(lanes_of_runs(numbers, count, limit, back));
  assert_memory_equal(back, offsets, sizeof back);
}

static void there_and_back(void **unused) {
  (void)unused;
  int64_t offsets[RUN_LANES];
  for (int i = 0; i < RUN_LANES; i++) offsets[i] = 128;
  check(offsets, 3);
  for (int i = 0; i < RUN_LANES; i++) offsets[i] = 4096 - 8 * i;
  check(offsets, 3);
  for (int i = 0; i < RUN_LANES; i++) offsets[i] = i / 16 * 4096 + i % 16 * 4;
  check(offsets, 6);
  for (int i = 0; i < RUN_LANES; i++) offsets[i] = (int64_t)i * i * i; /* no two alike */
  check(offsets, MAX_RUN_NUMBERS);
  for (uint64_t round = 1; round < 20000; round++) {
    uint64_t bits = round * UINT64_C(0x9e3779b97f4a7c15);
    for (int i = 0; i < RUN_LANES; i++) {
      bits = bits * UINT64_C(6364136223846793005) + round;
      offsets[i] = (int64_t)(bits >> 62) * 4 - (bits >> 40 & 1 ? limit / 2 : 0);
    }
    check(offsets, MAX_RUN_NUMBERS);
  }
}

static void refused(void **unused) {
  (void)unused;
  static const struct {
    const char *why;
    int count;
    int64_t numbers[6];
  } bad[] = {
      {"31 lanes", 3, {0, 4, 31}},
      {"33 lanes", 3, {0, 4, 33}},
      {"33 in two runs", 6, {0, 4, 16, 0, 4, 17}},
      {"a run of none", 6, {0, 4, 0, 0, 4, 32}},
      {"a run of less than none", 6, {0, 4, -1, 0, 4, 33}},
      {"half a run", 4, {0, 4, 32, 0}},
      {"nothing", 0, {0}},
      {"it begins too far", 3, {INT64_C(1) << 51, 0, 32}},
      {"it ends too far", 3, {0, INT64_C(1) << 46, 32}},
      {"it ends too far below", 3, {0, -(INT64_C(1) << 46), 32}},
      {"it overflows", 3, {0, INT64_MAX, 32}},
  };
  int64_t offsets[RUN_LANES];
  for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
    if (lanes_of_runs(bad[i].numbers, bad[i].count, limit, offsets))
      fail_msg("%s: taken for lanes", bad[i].why);
}

static void lanes_that_follow(void **unused) {
  (void)unused;
  int64_t a[RUN_LANES], b[RUN_LANES];
  for (int i = 0; i < RUN_LANES; i++) a[i] = 3 * i, b[i] = 3 * i + 64;
  b[9] = 0;
  assert_false(lanes_follow(a, b, ~0u, 64));
  assert_true(lanes_follow(a, b, ~(1u << 9), 64));
  assert_false(lanes_follow(a, b, ~(1u << 9), 60));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(there_and_back),
      cmocka_unit_test(refused),
      cmocka_unit_test(lanes_that_follow),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
