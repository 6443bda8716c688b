/* test_grader_roofline.c: where kernels lie under the roofs of a GPU (grader/show/roofline.c),
 * worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "grader/base/text.h"
#include "grader/show/roofline.h"

static char product[] = "product", copy[] = "copy", modelled[] = "modelled", nothing[] = "",
            link[] = "host link";

/* 1000 operations, 3 sectors of 4 loaded from L2, one stored. */
static struct launch_record launch_of(char *kernel, uint64_t ops, uint64_t bytes, uint64_t ns) {
  struct launch_record launch = {.launches = 1,
                                 .kernel = kernel,
                                 .time_kind = modelled,
                                 .bound = nothing,
                                 .time_ns = ns,
                                 .dram_bytes = bytes};
  launch.counters.value[COUNTER_fp32_ops] = ops;
  launch.counters.value[COUNTER_global_load_sectors] = 4;
  launch.counters.value[COUNTER_l2_load_sectors] = 3;
  launch.counters.value[COUNTER_global_store_sectors] = 1;
  return launch;
}

static void launches_of_a_kernel_add_up(void **state) {
  (void)state;
  struct launch_record launches[] = {launch_of(product, 1000, 100, 10), launch_of(copy, 0, 50, 5),
                                     launch_of(product, 3000, 200, 30),
                                     launch_of(product, 9, 9, 9)};
  launches[3].set = 1; /* of the second call: not this one's */
  struct report report = {.launches = launches, .launch_count = 4};
  struct roofline roofline;
  roofline_open(&roofline);
  roofline_add_case(&roofline, "lab9 ", "n1", &report, 0);
  assert_int_equal(roofline.count, 2);
  const struct roofline_point *p = &roofline.items[0];
  assert_string_equal(p->name, "lab9 n1 product");
  assert_float_equal(p->flops, 4000, 0);
  assert_float_equal(p->dram_bytes, 300, 0);
  assert_float_equal(p->l2_bytes, 2 * 32 * (3 + 1), 0);
  assert_float_equal(p->l1_bytes, 2 * 32 * (4 + 1), 0);
  assert_float_equal(p->time_ns, 40, 0);
  assert_string_equal(roofline_kind(&roofline), "modelled");
  roofline_free(&roofline);
}

/* A measured time stands beside the modelled one of a call that is one kernel; the time of a call
 * of two kernels is neither's. */
static void measured_times_stand_beside(void **state) {
  (void)state;
  struct launch_record launches[] = {launch_of(product, 1000, 100, 10), launch_of(copy, 0, 50, 5)};
  struct report report = {.launches = launches, .launch_count = 1};
  struct roofline roofline;
  roofline_open(&roofline);
  roofline_add_case(&roofline, "", "n1", &report, 20);
  assert_int_equal(roofline.count, 2);
  assert_false(roofline.items[0].measured);
  assert_true(roofline.items[1].measured);
  assert_float_equal(roofline.items[1].time_ns, 20, 0);
  assert_float_equal(roofline.items[1].flops, 1000, 0);
  assert_string_equal(roofline_kind(&roofline), "modelled and measured");
  report.launch_count = 2;
  roofline_add_case(&roofline, "", "n2", &report, 20);
  assert_int_equal(roofline.count, 4);
  assert_false(roofline.items[2].measured || roofline.items[3].measured);
  roofline_free(&roofline);
}

static void what_has_no_time_is_no_point(void **state) {
  (void)state;
  struct launch_record launches[] = {launch_of(product, 1000, 100, 10),
                                     launch_of(product, 1000, 100, 0)};
  launches[0].time_kind = NULL;
  struct report report = {.launches = launches, .launch_count = 2};
  struct roofline roofline;
  roofline_open(&roofline);
  roofline_add_case(&roofline, "", "n1", &report, 20);
  assert_int_equal(roofline.count, 0);
  roofline_free(&roofline);
}

/* An H100: 66908 operations a ns, 3026 bytes a ns: the ridge lies at 22.1. */
static void limits(void **state) {
  (void)state;
  struct roofline roofline;
  roofline_open(&roofline);
  const struct gpu *gpu = &roofline.gpu;
  double fp32 = gpu->info.sm_count * 128 * 2 * (gpu->info.clock_khz * 1e-6);
  const struct {
    struct roofline_point point;
    double limit, percent;
  } cases[] = {
      {{.flops = 6e4, .dram_bytes = 6e4, .time_ns = 60}, 3026, 100 * 1000 / 3026.},
      {{.flops = 22e4, .dram_bytes = 1e4, .time_ns = 10}, 22 * 3026, 100 * 22e3 / (22 * 3026.)},
      {{.flops = 23e4, .dram_bytes = 1e4, .time_ns = 10}, fp32, 100 * 23e3 / fp32},
      {{.flops = 1e4, .dram_bytes = 0, .time_ns = 1}, fp32, 100 * 1e4 / fp32},
      {{.flops = 0, .dram_bytes = 3026, .time_ns = 2}, 3026, 50},
      {{.flops = 0, .dram_bytes = 6052, .time_ns = 1}, 3026, 200}, /* L2 had it */
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    assert_float_equal(roofline_limit(gpu, &cases[i].point), cases[i].limit, 0.5);
    assert_float_equal(roofline_percent(gpu, &cases[i].point), cases[i].percent, 0.01);
  }
  roofline_free(&roofline);
}

/* The link's rate is not DRAM's: such a kernel is in the list, not in the chart. */
static void the_link_is_not_drawn(void **state) {
  (void)state;
  struct launch_record launches[] = {launch_of(product, 1000, 100, 10), launch_of(copy, 7, 50, 5)};
  launches[0].bound = link;
  struct report report = {.launches = launches, .launch_count = 2};
  struct roofline roofline;
  roofline_open(&roofline);
  roofline_add_case(&roofline, "", "n1", &report, 0);
  freed_by(text_free) struct text table = {0};
  roofline_chart_table(&roofline, &table);
  assert_null(strstr(text_get(&table), "product"));
  assert_non_null(strstr(text_get(&table), "n1 copy\t7\t50\t128\t160\t5\t0\n"));
  roofline_free(&roofline);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(launches_of_a_kernel_add_up), cmocka_unit_test(measured_times_stand_beside),
      cmocka_unit_test(what_has_no_time_is_no_point), cmocka_unit_test(limits),
      cmocka_unit_test(the_link_is_not_drawn)};
  unsetenv("KIT_SIM_GPU");
  return cmocka_run_group_tests(tests, NULL, NULL);
}
