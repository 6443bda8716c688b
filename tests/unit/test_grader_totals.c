/* test_grader_totals.c: counters come back from JSON as they went, and nothing else does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "grader/lab/totals.h"

static void test_round_trip(void **state) {
  (void)state;
  struct totals totals = {.launches = 3, .time_ns = 1234567}, back = {0};
  for (int i = 0; i < COUNTERS; i++) totals.counters.value[i] = (uint64_t)i << 50;
  json_t *json = totals_to_json(&totals);
  assert_true(totals_from_json(json, &back));
  assert_memory_equal(&back, &totals, sizeof totals);
  json_decref(json);
}

static void test_lacking(void **state) {
  (void)state;
  struct counters counters = {.value = {[COUNTER_global_load_sectors] = 7}}, back;
  json_t *json = counters_to_json(&counters, false);
  assert_int_equal(json_object_size(json), 1);
  assert_true(counters_from_json(json, false, &back)); /* the others are 0 */
  assert_memory_equal(&back, &counters, sizeof counters);
  assert_false(counters_from_json(json, true, &back));
  json_decref(json);
  assert_false(counters_from_json(NULL, false, &back));
}

static void test_no_count(void **state) {
  (void)state;
  const json_int_t wrong[] = {-1, counter_limit + 1};
  struct counters back;
  for (int i = 0; i < 2; i++) {
    json_t *json = json_pack("{s:I}", counter_names[COUNTERS - 1], wrong[i]);
    assert_false(counters_from_json(json, false, &back));
    json_decref(json);
  }
  json_t *json = json_pack("{s:s}", counter_names[0], "7");
  assert_false(counters_from_json(json, false, &back));
  json_decref(json);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_round_trip),
      cmocka_unit_test(test_lacking),
      cmocka_unit_test(test_no_count),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
