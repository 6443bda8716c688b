/* test_grader_sizes.c: sizes as they are typed, their dimensions, their memory; speedups. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "grader/run/sizes.h"

extern const struct family family_matmul;

static void expect_sizes(const char *text, int count, const long *values) {
  struct sizes sizes = {0};
  char *wrong = sizes_parse(text, &sizes);
  if (wrong) fail_msg("%s: %s", text, wrong);
  assert_int_equal(sizes.count, count);
  assert_memory_equal(sizes.values, values, (size_t)count * sizeof *values);
  sizes_free(&sizes);
}

static void expect_refused(const char *text, const char *words) {
  struct sizes sizes = {0};
  char *wrong = sizes_parse(text, &sizes);
  assert_non_null(wrong);
  assert_string_equal(wrong, words);
  free(wrong);
  sizes_free(&sizes);
}

static void test_parse(void **state) {
  (void)state;
  expect_sizes("100", 1, (long[]){100});
  expect_sizes("700,100,268435456,100", 3, (long[]){100, 700, 268435456});
  expect_refused("100,abc", "'abc' is not a size from 1 to 268435456");
  expect_refused("100,", "'' is not a size from 1 to 268435456");
  expect_refused("0", "'0' is not a size from 1 to 268435456");
  expect_refused("-5", "'-5' is not a size from 1 to 268435456");
  expect_refused("268435457", "'268435457' is not a size from 1 to 268435456");
  expect_refused("1e3", "'1e3' is not a size from 1 to 268435456");
  expect_refused("99999999999999999999",
                 "'99999999999999999999' is not a size from 1 to 268435456");
  expect_refused(
      "1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20,21,22,23,24,25,26,27,28,29,30,"
      "31,32,33",
      "more than 32 sizes");
}

static struct case_conf cases[] = {{.name = (char *)"a", .dims = {5, 6, 7}},
                                   {.name = (char *)"b", .dims = {64, 48, 32}, .show = true}};

/* A lab of products, with these names of dimensions that are the size. */
static struct lab lab_with(char **dims, int count) {
  return (struct lab){.id = (char *)"lab7",
                      .conf = {.family = &family_matmul,
                               .memory_limit = 3,
                               .cases = cases,
                               .case_count = 2,
                               .sizes = {.dims = dims, .dim_count = count}}};
}

static void test_dims(void **state) {
  (void)state;
  char *rows[] = {(char *)"M", (char *)"N"}, *others[] = {(char *)"ROWS"};
  long dims[PROBLEM_MAX_DIMS];
  struct lab lab = lab_with(NULL, 0);
  assert_int_equal(sizes_case(&lab.conf), 1); /* the first that is shown */
  sizes_dims(&lab.conf, 1, 9, dims);
  assert_true(dims[0] == 9 && dims[1] == 9 && dims[2] == 9);
  char *words = sizes_dims_words(&lab.conf, 1);
  assert_string_equal(words, "M = N = K = n");
  free(words);

  lab = lab_with(rows, 2);
  sizes_dims(&lab.conf, 1, 9, dims);
  assert_true(dims[0] == 9 && dims[1] == 9 && dims[2] == 32);
  words = sizes_dims_words(&lab.conf, 1);
  assert_string_equal(words, "M = N = n, K = 32");
  free(words);

  lab = lab_with(others, 1); /* of another function's problem */
  sizes_dims(&lab.conf, 1, 9, dims);
  assert_true(dims[0] == 9 && dims[2] == 9);
  lab.conf.sizes.case_name = (char *)"a";
  assert_int_equal(sizes_case(&lab.conf), 0);
}

/* What sizes_check has against a size; the lab allows 3 MiB, of which the simulator's notes take
 * two.
 */
static char *check(long size, bool on_gpu, double available) {
  static struct lab lab;
  lab = lab_with(NULL, 0);
  const struct sizes sizes = {.lab = &lab, .on_gpu = on_gpu, .values = &size, .count = 1};
  return sizes_check(&sizes, available);
}

static void test_memory(void **state) {
  (void)state;
  /* 1 MiB = 3 x 4 bytes x 295.6 x 295.6 */
  assert_null(check(295, false, 0));
  char *wrong = check(296, false, 0);
  assert_non_null(wrong);
  assert_non_null(strstr(wrong, "enough up to n = 295"));
  free(wrong);
  assert_null(check(296, true, 0)); /* a GPU has its own */
  /* Six copies: 7.2e6 bytes hold n = 316.2. */
  assert_null(check(316, true, 7.2e6));
  wrong = check(317, true, 7.2e6);
  assert_non_null(strstr(wrong, "this machine has 0.0072 GB left, which is enough up to n = 316"));
  free(wrong);
}

static void set(struct sizes *sizes, int line, int i, double ns, double deviation_ns) {
  sizes->lines[line].points[i] =
      (struct size_point){.state = POINT_RIGHT, .ns = ns, .deviation_ns = deviation_ns};
}

static void test_speedup(void **state) {
  (void)state;
  struct sizes sizes = {0};
  free(sizes_parse("10,20", &sizes));
  sizes_add_line(&sizes, LINE_OWN, strdup("own"), strdup("lab1.cu"));
  sizes_add_line(&sizes, LINE_CPU, strdup("plain"), strdup("plain"));
  sizes_add_line(&sizes, LINE_CPU, strdup("best"), strdup("best"));
  assert_int_equal(sizes_best_cpu(&sizes), -1);
  set(&sizes, 0, 0, 100, NAN);
  set(&sizes, 1, 0, 1000, 300);
  set(&sizes, 2, 0, 2000, 0);
  assert_int_equal(sizes_best_cpu(&sizes), 1);
  set(&sizes, 1, 1, 9000, 0);
  set(&sizes, 2, 1, 4000, 0); /* at the largest size */
  assert_int_equal(sizes_best_cpu(&sizes), 2);
  double spread = -1;
  assert_true(sizes_speedup(&sizes, 0, 1, 0, &spread) == 10 && spread == 3);
  set(&sizes, 0, 0, 100, 40); /* 40% and 30% */
  assert_true(sizes_speedup(&sizes, 0, 1, 0, &spread) == 10 && fabs(spread - 5) < 1e-9);
  assert_true(isnan(sizes_speedup(&sizes, 0, 1, 1, &spread))); /* it has no time there */
  sizes_free(&sizes);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_parse),
      cmocka_unit_test(test_dims),
      cmocka_unit_test(test_memory),
      cmocka_unit_test(test_speedup),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
