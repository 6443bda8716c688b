/* test_grader_traffic.c: sectors for 32 floats in the worst part of the traffic, against figures
 * worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "grader/lab/metric.h"

#define LOADS(line_, array_, sectors_, bytes_) \
  { .line = line_, .array = array_, .sectors = sectors_, .bytes = bytes_ }
#define STORES(line_, array_, sectors_, bytes_) \
  { .line = line_, .store = true, .array = array_, .sectors = sectors_, .bytes = bytes_ }
#define TOTALS(list) \
  { .traffic = (list), .traffic_count = (int)(sizeof(list) / sizeof *(list)) }

static void expect(const struct totals *totals, double value) {
  double got = traffic_value(totals, true, false, NULL);
  if (!(fabs(got - value) < 0.001)) fail_msg("%g sectors for 32 floats, not %g", got, value);
}

/* A column of A for each element of B that a whole warp shares: 32 of 33 sectors are A's. */
static void test_broadcasts_hide_nothing(void **state) {
  (void)state;
  struct traffic list[] = {LOADS(9, "A", 3200, 12800), LOADS(9, "B", 100, 12800)};
  struct totals totals = TOTALS(list);
  expect(&totals, 32);
  list[1].sectors *= 16, list[1].bytes *= 16; /* many more of them: 1600 of 4800 sectors */
  expect(&totals, 32);
}

/* 3200 sectors for 12800 bytes, three times as many for 307200: half of all are 6400. */
static void test_many_good_loads(void **state) {
  (void)state;
  struct traffic list[] = {LOADS(9, "A", 3200, 12800), LOADS(11, "A", 9600, 307200)};
  struct totals totals = TOTALS(list);
  expect(&totals, 6400 * 128 / (12800 + 102400.0));
  /* The textbook's kernel asks for 25600 bytes: half of them are all bad. */
  totals.textbook_load_bytes = 25600;
  expect(&totals, 32);
  /* For 102400: half are 51200, of which 38400, with 1200 sectors, are good. */
  totals.textbook_load_bytes = 102400;
  expect(&totals, 4400 * 128 / 51200.0);
}

static void test_over_many_lines_and_arrays(void **state) {
  (void)state;
  struct traffic list[33] = {LOADS(99, "B", 3200, 102400)};
  for (int i = 1; i < 33; i++)
    list[i] = i % 2 ? (struct traffic)LOADS(i, "A", 100, 400)
                    : (struct traffic)LOADS(i, "scratch", 100, 400);
  struct totals totals = TOTALS(list);
  expect(&totals, 32);
}

/* 100 warps of one lane among 250 that load rows: 550 of 1100 sectors are 100 + 450. */
static void test_edges(void **state) {
  (void)state;
  struct traffic list[] = {LOADS(9, "A", 1000, 32000), LOADS(9, "A", 100, 400)};
  struct totals totals = TOTALS(list);
  expect(&totals, 550 * 128 / (400 + 14400.0));
}

static void test_float4(void **state) {
  (void)state;
  struct traffic list[] = {LOADS(9, "A", 16, 512)};
  struct totals totals = TOTALS(list);
  expect(&totals, 4);
}

static void test_both_sides(void **state) {
  (void)state;
  struct traffic list[] = {LOADS(9, "in", 400, 12800), STORES(12, "out", 1600, 12800)};
  struct totals totals = TOTALS(list);
  const struct traffic *worst;
  assert_true(traffic_value(&totals, true, true, &worst) == 16);
  assert_ptr_equal(worst, &list[1]);
  assert_true(traffic_value(&totals, true, false, &worst) == 4);
  assert_ptr_equal(worst, &list[0]);
  totals.traffic_count = 1;
  assert_true(isnan(traffic_value(&totals, false, true, &worst)));
  assert_null(worst);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_broadcasts_hide_nothing),
      cmocka_unit_test(test_many_good_loads),
      cmocka_unit_test(test_over_many_lines_and_arrays),
      cmocka_unit_test(test_edges),
      cmocka_unit_test(test_float4),
      cmocka_unit_test(test_both_sides),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
