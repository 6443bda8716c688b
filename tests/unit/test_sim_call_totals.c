/* test_sim_call_totals.c: the launches of a call are added up, however many there are; what is
 * reported stays small. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "harness/sim/remote/call_totals.h"

static json_int_t number(const json_t *json, const char *key) {
  return json_integer_value(json_object_get(json, key));
}

/* Launch i has a grid of i % shapes + 1 blocks, takes 2 ns and loads 4 sectors of A at line 7. */
static int add_launches(struct call_totals *totals, int count, int shapes) {
  struct traffic traffic = {.line = 7, .array = "A", .requests = 1, .sectors = 4, .bytes = 128};
  struct line_report line = {.line = 7};
  line.counters.value[COUNTER_global_load_sectors] = 4;
  int singles = 0;
  for (int i = 0; i < count; i++) {
    struct launch_report report = {.kernel = "k",
                                   .timed = true,
                                   .grid = {(unsigned)(i % shapes) + 1, 1, 1},
                                   .block = {32, 1, 1},
                                   .time_ns = 2.2,
                                   .counters = line.counters,
                                   .lines = &line,
                                   .line_count = 1,
                                   .traffic = &traffic,
                                   .traffic_count = 1};
    bool single;
    assert_true(call_totals_add(totals, &report, &single));
    singles += single;
  }
  return singles;
}

static void twenty_thousand_launches(void **state) {
  (void)state;
  struct call_totals totals = {0};
  assert_int_equal(add_launches(&totals, 20000, 100), SINGLE_LAUNCHES);
  assert_int_equal(totals.group_count, LAUNCH_GROUPS);
  json_t *json = call_totals_to_json(&totals);
  assert_int_equal(number(json, "launches"), 20000);
  assert_int_equal(number(json, "time_ns"), 40000);
  assert_int_equal(number(json_object_get(json, "counters"), "global_load_sectors"), 80000);
  const json_t *traffic = json_object_get(json, "traffic");
  assert_int_equal(json_array_size(traffic), 1);
  assert_int_equal(number(json_array_get(traffic, 0), "bytes"), 128 * 20000);
  assert_int_equal(number(json_array_get(traffic, 0), "requests"), 20000);
  json_decref(json);
  json_int_t launches = 0, sectors = 0, ns = 0;
  for (int i = 0; i < totals.group_count; i++) {
    json = launch_group_to_json(&totals.groups[i], false);
    const json_t *line = json_array_get(json_object_get(json, "lines"), 0);
    launches += number(json, "launches");
    ns += number(json, "time_ns");
    sectors += number(json_object_get(line, "counters"), "global_load_sectors");
    if (i == LAUNCH_GROUPS - 1)
      assert_string_equal(json_string_value(json_object_get(json, "kernel")), "other launches");
    json_decref(json);
  }
  assert_int_equal(launches, 20000 - SINGLE_LAUNCHES);
  assert_int_equal(ns, 2 * (20000 - SINGLE_LAUNCHES));
  assert_int_equal(sectors, 4 * (20000 - SINGLE_LAUNCHES));
  call_totals_reset(&totals);
  assert_int_equal(totals.launches, 0);
}

/* Line i executes i instructions: the last 999 of 10000 lines are kept, 1 to 9001 are one. */
static void ten_thousand_lines(void **state) {
  (void)state;
  enum { LINES = 10000 };
  struct line_report *lines = calloc(LINES, sizeof *lines);
  for (int i = 0; i < LINES; i++) {
    lines[i].line = i + 1;
    lines[i].counters.value[COUNTER_inst_executed] = (uint64_t)i + 1;
  }
  int count = LINES;
  call_totals_limit_lines(lines, &count);
  assert_int_equal(count, REPORTED_LINES);
  assert_int_equal(lines[0].line, 0);
  assert_int_equal(lines[0].counters.value[COUNTER_inst_executed], 9001 * 9002 / 2);
  assert_int_equal(lines[1].line, 9002);
  assert_int_equal(lines[999].line, 10000);
  free(lines);
}

/* 3000 lines, each with 1 sector more than the last; a third has 32 bytes a sector, the rest 4. */
static void traffic_in_many_places(void **state) {
  (void)state;
  struct call_totals totals = {0};
  uint64_t all = 0, good = 0;
  for (unsigned i = 1; i <= 3000; i++) {
    struct traffic traffic = {.line = (int)i, .array = "A", .sectors = i};
    traffic.bytes = i * (i % 3 ? 4 : 32);
    all += traffic.sectors;
    if (i % 3 == 0) good += traffic.sectors;
    assert_true(traffic_list_add(&totals.traffic, &traffic));
  }
  json_t *json = call_totals_to_json(&totals), *entry;
  const json_t *list = json_object_get(json, "traffic");
  assert_int_equal(json_array_size(list), REPORTED_TRAFFIC + 2); /* the others: two classes */
  size_t i;
  uint64_t sum = 0, fine = 0;
  json_array_foreach (list, i, entry) {
    uint64_t sectors = (uint64_t)number(entry, "sectors");
    sum += sectors;
    if ((uint64_t)number(entry, "bytes") == 32 * sectors) fine += sectors;
  }
  assert_int_equal(sum, all);
  assert_int_equal(fine, good);
  json_decref(json);
  call_totals_reset(&totals);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(twenty_thousand_launches),
      cmocka_unit_test(ten_thousand_lines),
      cmocka_unit_test(traffic_in_many_places),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
