/* test_grader_spans.c: what a trace says of when work was done (spans.h), and the shares that
 * metrics are made of it, with values worked out by hand. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <cmocka.h>

#include "grader/lab/metric.h"
#include "grader/lab/spans.h"
#include "grader/lab/totals.h"

static json_t *trace;
static int issued;

static int set_up(void **state) {
  (void)state;
  issued = 0;
  trace = json_pack("{s:[]}", "traceEvents");
  return trace ? 0 : -1;
}

static int tear_down(void **state) {
  (void)state;
  json_decref(trace);
  return 0;
}

static void add(json_t *event) {
  assert_int_equal(json_array_append_new(json_object_get(trace, "traceEvents"), event), 0);
}

/* Work of a stream. bytes: that a copy moves, or a kernel stores. */
static void work(const char *category, int stream, double begin, double end, int bytes) {
  add(json_pack("{s:s, s:s, s:s, s:i, s:i, s:f, s:f, s:{s:i, s:i, s:f}}", "name", "w", "cat",
                category, "ph", "X", "pid", 2, "tid", stream, "ts", begin, "dur", end - begin,
                "args", strcmp(category, "kernel") == 0 ? "stored" : "bytes", bytes, "issue",
                ++issued, "ready_us", begin));
}

static void host(const char *category, double begin, double end) {
  add(json_pack("{s:s, s:s, s:s, s:i, s:i, s:f, s:f, s:{}}", "name", "h", "cat", category, "ph",
                "X", "pid", 1, "tid", 0, "ts", begin, "dur", end - begin, "args"));
}

static void assert_near(double value, double expected) {
  if (!(fabs(value - expected) < 1e-6 * (1 + fabs(expected))))
    fail_msg("%g, not %g", value, expected);
}

static struct overlap overlap_now(void) {
  struct spans spans;
  spans_read(trace, &spans);
  struct overlap overlap = overlap_of(&spans);
  spans_free(&spans);
  return overlap;
}

/* copies in 0-10 and 10-20, kernel 10-14, copy out 14-24: 6 of its 10 us lie beside the second. */
static void test_pieces(void **state) {
  (void)state;
  work("copy in", 1, 0, 10, 1000);
  work("kernel", 1, 10, 14, 400);
  work("copy in", 2, 10, 20, 1000);
  work("copy out", 1, 14, 24, 500);
  struct overlap o = overlap_now();
  assert_near(o.total, 24);
  assert_near(o.any, 24);
  assert_near(o.busy[SPAN_COPY_IN], 20);
  assert_near(o.busy[SPAN_COPY_OUT], 10);
  assert_near(o.copies, 30);
  assert_near(o.hidden, 4 + 2 * 6); /* beside the kernel; both ways, each of the two counts */
  assert_near(o.both_ways, 300);
  assert_near(o.beside_copies, 400);
  assert_near(o.beside_both, 0);
  assert_near(o.copied, 2500);
  assert_near(o.copied_out, 500);
  assert_near(o.stored, 400);
  assert_near(o.most_kernels, 1);
}

/* Kernels 0-10, 100 bytes a us, and 4-8, 150: for 4 us they store 250, of which 200 are together.
 */
static void test_kernels(void **state) {
  (void)state;
  work("kernel", 1, 0, 10, 1000);
  work("kernel", 2, 4, 8, 600);
  work("kernel", 3, 10, 11, 50); /* begins as the first ends */
  struct overlap o = overlap_now();
  assert_near(o.beside_kernels, 4 * 200);
  assert_near(o.most_kernels, 2);
  assert_near(o.stored, 1650);
}

static double metric_of(const char *name, struct overlap o, double result) {
  o.result = result;
  const struct totals totals = {.timeline = true, .overlap = o};
  return metric_value(metric_find(name), &totals);
}

/* What is copied or stored beyond the result counts as work that does not overlap. */
static void test_shares(void **state) {
  (void)state;
  assert_near(
      metric_of("copies_both_ways", (struct overlap){.copied_out = 500, .both_ways = 300}, 500),
      60);
  /* 500 useless bytes beside a copy, and the result alone */
  assert_near(
      metric_of("copies_both_ways", (struct overlap){.copied_out = 1000, .both_ways = 500}, 500),
      0);
  assert_near(
      metric_of("copies_both_ways", (struct overlap){.copied_out = 1000, .both_ways = 800}, 500),
      60);
  assert_near(metric_of("kernels_beside_copies",
                        (struct overlap){.stored = 900, .beside_copies = 800}, 800),
              87.5);
  /* faulted in, and never brought back; brought back half by a copy and half by the kernel */
  assert_near(metric_of("unprefetched_bytes", (struct overlap){.fetched = 40}, 500), 540);
  assert_near(
      metric_of("unprefetched_bytes", (struct overlap){.copied_out = 250, .mapped = 250}, 500), 0);
  assert_true(isnan(metric_of("copies_both_ways", (struct overlap){.copied_out = 1}, 0)));
  assert_true(
      isnan(metric_value(metric_find("copies_both_ways"), &(struct totals){.launches = 1})));
}

/* Around a call on the host's memory: inputs to the host first, outputs to the device last. */
static void test_harness(void **state) {
  (void)state;
  work("copy out", 0, 0, 5, 64);
  work("copy out", 0, 5, 10, 64);
  host("wait", 5, 10);
  host("call", 20, 22);
  work("copy in", 1, 22, 30, 64);
  work("kernel", 1, 30, 40, 64);
  work("copy out", 1, 40, 50, 64);
  host("wait", 22, 50);
  work("copy in", 0, 60, 65, 64);
  work("copy in", 0, 66, 67, 4);
  struct spans spans;
  spans_read(trace, &spans);
  spans_leave_out_harness(&spans, 2, 2);
  assert_near(spans.begin, 22);
  assert_near(spans.end, 50);
  struct overlap o = overlap_of(&spans);
  assert_near(o.copied, 128);
  int of_host = 0;
  for (size_t i = 0; i < spans.count; i++) of_host += spans.items[i].process == SPAN_OF_HOST;
  assert_int_equal(of_host, 1); /* the wait: the others lie before the work */
  spans_free(&spans);
}

static void test_malformed(void **state) {
  (void)state;
  add(json_string("nonsense"));
  add(json_pack("{s:s}", "cat", "kernel"));
  add(json_pack("{s:s, s:i, s:f, s:f}", "cat", "kernel", "pid", 2, "ts", 5.0, "dur", -1.0));
  add(json_pack("{s:s, s:i, s:f, s:f}", "cat", "dance", "pid", 2, "ts", 5.0, "dur", 1.0));
  struct spans spans;
  spans_read(trace, &spans);
  assert_int_equal(spans.count, 0);
  assert_true(spans.end < spans.begin);
  assert_near(overlap_of(&spans).total, 0);
  spans_free(&spans);
  spans_read(NULL, &spans);
  assert_int_equal(spans.count, 0);
  spans_free(&spans);
}

/* As classes keep spans: nothing that overlap is made of is lost. */
static void test_kept(void **state) {
  (void)state;
  work("copy in", 1, 0, 10, 1000);
  work("kernel", 1, 10, 14, 400);
  work("copy out", 2, 8, 24, 500);
  host("wait", 3, 24);
  struct spans spans, back;
  spans_read(trace, &spans);
  spans.items[0].pageable = spans.items[2].pages = true;
  spans.items[1].line = 31;
  json_auto_t *json = spans_to_json(&spans);
  json_array_append_new(json, json_pack("[i, i]", 1, 2));
  spans_from_json(json, &back);
  assert_int_equal(back.count, 4);
  struct overlap a = overlap_of(&spans), b = overlap_of(&back);
  assert_memory_equal(&a, &b, sizeof a);
  assert_true(back.items[0].pageable && !back.items[0].pages && back.items[2].pages);
  assert_int_equal(back.items[1].line, 31);
  spans_free(&spans);
  spans_free(&back);
}

/* As cached for references, and as classes keep it. */
static void test_as_json(void **state) {
  (void)state;
  struct totals totals = {
      .launches = 2,
      .time_ns = 7,
      .timeline = true,
      .overlap = {.total = 24, .both_ways = 300, .copied_out = 500, .result = 500}};
  json_auto_t *json = totals_to_json(&totals);
  struct totals back = {0};
  assert_true(totals_from_json(json, &back));
  assert_true(back.timeline);
  assert_near(metric_value(metric_find("copies_both_ways"), &back), 60);
  json_object_del(json_object_get(json, "overlap"), "both_ways");
  assert_false(totals_from_json(json, &back));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(test_pieces, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_kernels, set_up, tear_down),
      cmocka_unit_test(test_shares),
      cmocka_unit_test_setup_teardown(test_harness, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_malformed, set_up, tear_down),
      cmocka_unit_test_setup_teardown(test_kept, set_up, tear_down),
      cmocka_unit_test(test_as_json),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
