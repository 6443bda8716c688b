/* test_grader_conf.c: lab.conf is read exactly, and its faults are named with their lines. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "grader/lab/conf_keys.h"

extern const struct family family_matmul;

static const char good[] =
    "; a comment\n"
    "[lab]\n"
    "title = A lab\n"
    "problem = matmul\n"
    "baseline = lab1\n"
    "entries = one two\n"
    "[case 17]\n"
    "dims = M=17 N=18 K=19\n"
    "sets = 2\n"
    "[case big]\n"
    "dims = M=512 N=512 K=512\n"
    "show = yes\n"
    "entry = two\n"
    "[item right]\n"
    "class = correctness\n"
    "title = Right\n"
    "points = 30\n"
    "cases = 17 big\n"
    "[item loads]\n"
    "class = technique\n"
    "title = Loads\n"
    "points = 20\n"
    "case = big\n"
    "metric = global_load_bytes\n"
    "of = baseline\n"
    "full = <= 0.065\n"
    "zero = >= 0.25\n"
    "[sweep]\n"
    "case = big\n"
    "parameters = X Y\n"
    "values = 1 2 4\n"
    "max_threads = 8\n"
    "[series sides]\n"
    "case = 17\n"
    "dimension = N\n"
    "to = 32\n"
    "[sizes]\n"
    "case = 17\n"
    "dims = M N\n";

/* Reads text as lab.conf; returns the error (the caller's to free), NULL if there is none. */
static char *read_text(const char *text, struct conf *conf) {
  char path[] = "/tmp/test-conf-XXXXXX", *error;
  int fd = mkstemp(path);
  assert_true(fd >= 0);
  assert_int_equal(write(fd, text, strlen(text)), strlen(text));
  close(fd);
  int result = conf_read(path, "lab.conf", conf, &error);
  unlink(path);
  assert_int_equal(result, error ? -1 : 0);
  return error;
}

/* The good file with its line `from` replaced must give this error. */
static void expect(const char *from, const char *to, const char *expected) {
  const char *at = strstr(good, from);
  assert_non_null(at);
  char text[sizeof good + 1000];
  snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good), good, to, at + strlen(from));
  struct conf conf;
  char *error = read_text(text, &conf);
  if (!error || strcmp(error, expected) != 0)
    fail_msg("got '%s', expected '%s'", error ? error : "no error", expected);
  free(error);
  conf_free(&conf);
}

static void test_good(void **state) {
  (void)state;
  struct conf conf;
  assert_null(read_text(good, &conf));
  assert_string_equal(conf.title, "A lab");
  assert_ptr_equal(conf.family, &family_matmul);
  assert_int_equal(conf.case_count, 2);
  assert_int_equal(conf.cases[0].dims[1], 18);
  assert_int_equal(conf.cases[0].sets, 2);
  assert_true(conf.cases[1].show);
  assert_null(conf.cases[0].entry);
  assert_string_equal(conf.cases[1].entry, "two");
  assert_int_equal(conf.entry_count, 2);
  assert_string_equal(conf_function(&conf, &conf.cases[0]), "one");
  assert_ptr_equal(conf_family(&conf, &conf.cases[0]), &family_matmul);
  assert_string_equal(conf.sweep.case_name, "big");
  assert_string_equal(conf.sweep.parameters[1], "Y");
  assert_int_equal(conf.sweep.value_count, 3);
  assert_int_equal(conf.sweep.values[2], 4);
  assert_int_equal(conf.sweep.max_threads, 8);
  assert_int_equal(conf.series_count, 1);
  assert_int_equal(conf_series(&conf, "sides"), 0);
  assert_int_equal(conf_series(&conf, "side"), -1);
  assert_null(conf.series[0].title);
  assert_string_equal(conf.series[0].case_name, "17");
  assert_string_equal(conf.series[0].dimension, "N");
  assert_int_equal(conf.series[0].from, 1);
  assert_int_equal(conf.series[0].to, 32);
  assert_string_equal(conf.sizes.case_name, "17");
  assert_int_equal(conf.sizes.dim_count, 2);
  assert_string_equal(conf.sizes.dims[1], "N");
  assert_int_equal(conf.max_points, 50);
  assert_int_equal(conf.items[0].case_count, 2);
  assert_int_equal(conf.items[1].of, OF_BASELINE);
  assert_true(conf.items[1].full.value == 0.065 && !conf.items[1].full.at_least);
  assert_true(conf.items[1].zero.given && conf.items[1].zero.at_least);
  conf_free(&conf);
}

/* A case's dimensions are those of its function's problem. */
static void test_problem_of_function(void **state) {
  (void)state;
  struct conf conf;
  assert_null(
      read_text("[lab]\ntitle = A lab\nproblem = matmul\nentries = one two:transpose\n"
                "[case a]\ndims = M=1 N=2 K=3\n[case b]\nentry = two\ndims = ROWS=4 COLS=5\n"
                "[item right]\nclass = correctness\ntitle = Right\npoints = 1\ncases = a b\n",
                &conf));
  assert_string_equal(conf_family(&conf, &conf.cases[0])->problem->name, "matmul");
  assert_string_equal(conf_family(&conf, &conf.cases[1])->problem->name, "transpose");
  assert_string_equal(conf_function(&conf, &conf.cases[1]), "two");
  assert_int_equal(conf.cases[1].dims[1], 5);
  conf_free(&conf);
  expect("entries = one two\n", "entries = one two:sort\n",
         "lab.conf:6: there is no problem 'sort'");
  expect("entries = one two\n", "entries = one two-\n",
         "lab.conf:6: 'two-' is no name of a function, nor NAME:PROBLEM");
}

static void test_errors(void **state) {
  (void)state;
  expect("title = Right\n", "tilte = Right\n",
         "lab.conf:16: unknown key 'tilte' in [item right]; did you mean 'title'?");
  expect("sets = 2\n", "rounds = 2\n",
         "lab.conf:9: unknown key 'rounds' in [case 17]; known are: dims, sets, show, "
         "elapsed, entry, fail, fail_at");
  expect("sets = 2\n", "fail_at = 2\n",
         "lab.conf:7: [case 17]: 'fail_at' needs 'fail', the call that fails");
  expect("sets = 2\n", "fail = free\n",
         "lab.conf:9: 'free' is none of: nothing, malloc, pinned, copy, launch");
  expect("show = yes\n", "show = yes\nfail = copy\n",
         "lab.conf:10: [case big] with 'show': case big is one in which a call is made to fail "
         "('fail = copy')");
  expect("show = yes\n", "fail = copy\n",
         "lab.conf:28: [sweep]: case big is one in which a call is made to fail ('fail = copy')");
  expect("[case big]\n", "[cases big]\n",
         "lab.conf:10: unknown section [cases big]; known are [lab], [case NAME], [item ID], "
         "[answer ID], [question ID], [sweep], [series NAME], [sizes]");
  expect("sets = 2\n", "sets = 0\n", "lab.conf:9: '0' is not a whole number from 1 to 100");
  expect("sets = 2\n", "sets = 2x\n", "lab.conf:9: '2x' is not a whole number from 1 to 100");
  expect("sets = 2\n", "sets = 2\nsets = 3\n", "lab.conf:10: 'sets' is given twice in [case 17]");
  expect("sets = 2\n", "sets 2\n", "lab.conf:9: this is neither [section] nor 'key = value'");
  expect("dims = M=17 N=18 K=19\n", "dims = M=17 N=18\n", "lab.conf:8: dims lacks K");
  expect("dims = M=17 N=18 K=19\n", "dims = M=17 N=18 L=3\n",
         "lab.conf:8: 'L' is not a dimension of matmul, written as M=17");
  expect(
      "class = technique\n", "class = speed\n",
      "lab.conf:20: 'speed' is none of: correctness, hazard, technique, performance, prediction");
  expect("problem = matmul\n", "problem = sort\n", "lab.conf:4: there is no problem 'sort'");
  expect("full = <= 0.065\n", "full = 0.065\n",
         "lab.conf:26: '0.065' is not a threshold such as <= 4 or >= 0.5");
  expect("zero = >= 0.25\n", "zero = >= 0.05\n",
         "lab.conf:19: [item loads]: full and zero must point away from each other, as <= 4 and >= "
         "16");
  expect(
      "zero = >= 0.25\n", "half = <= 0.25\n",
      "lab.conf:19: [item loads]: 'half' is for times; what is counted has 'zero', towards which "
      "points fall");
  expect("class = technique\n", "class = performance\n",
         "lab.conf:19: [item loads]: a time earns all points, half of them or none: give 'half', "
         "up to "
         "which it is half; or 'zero' with 'scale = log'");
  expect("zero = >= 0.25\n", "scale = log\n",
         "lab.conf:19: [item loads]: 'scale = log' needs 'zero', where no points are earned");
  expect("full = <= 0.065\n", "full = <= 0\nscale = log\n",
         "lab.conf:19: [item loads]: on a log scale full and zero must be above 0");
  expect("class = technique\n", "class = performance\nscale = log\nhalf = <= 0.1\n",
         "lab.conf:19: [item loads]: give 'half' or 'zero', not both");
  expect("problem = matmul\n", "problem = matmul\nleaders = speed\n",
         "lab.conf: [lab]: 'leaders' names speed, but there is no [item speed]");
  expect("problem = matmul\n", "problem = matmul\nleaders = right\n",
         "lab.conf: [lab]: 'leaders' names right, which measures nothing");
  expect("points = 30\n", "points = 30\nmetric = launches\n",
         "lab.conf:14: [item right]: an item of class correctness has no 'metric'");
  expect("zero = >= 0.25\n", "needs = rihgt\n",
         "lab.conf:19: [item loads]: 'needs' names rihgt, but there is no [item rihgt]");
  expect("zero = >= 0.25\n", "needs = loads\n",
         "lab.conf:19: [item loads]: 'needs' leads back to this item");
  expect("cases = 17 big\n",
         "cases = 17 big\nneeds = y\n[item y]\nclass = hazard\ntitle = Y\npoints = 1\n"
         "needs = right\n",
         "lab.conf:14: [item right]: 'needs' leads back to this item");
  expect("cases = 17 big\n", "cases = 17\n",
         "lab.conf:19: [item loads] measures case big, which no correctness item checks: add it to "
         "the "
         "'cases' of one");
  expect("metric = global_load_bytes\n", "metric = global_load_sectors_per_warp\n",
         "lab.conf:19: [item loads]: metric global_load_sectors_per_warp cannot be compared: leave "
         "'of' "
         "out");
  expect("cases = 17 big\n", "cases = 17 bgi\n",
         "lab.conf:14: [item right]: there is no [case bgi]");
  expect("metric = global_load_bytes\n", "metric = global_load_byte\n",
         "lab.conf:19: [item loads]: there is no metric 'global_load_byte'; did you mean "
         "'global_load_bytes'?");
  expect("baseline = lab1\n", "",
         "lab.conf:18: [item loads]: 'of = baseline', but [lab] names no baseline");
  expect("full = <= 0.065\n", "", "lab.conf:19: [item loads] lacks 'full'");
  expect("title = A lab\n", "", "lab.conf: [lab] lacks 'title'");
  expect("[item loads]\n", "[item x]\nclass = hazard\n[item right]\n",
         "lab.conf:21: [item right] is given twice");
  expect("entry = two\n", "entry = three\n",
         "lab.conf:10: [case big]: 'three' is none of [lab]'s entries");
  expect("dims = M N\n", "dims = M L\n", "lab.conf:37: [sizes]: there is no dimension 'L'");
  expect("[sizes]\ncase = 17\n", "[sizes]\ncase = 18\n",
         "lab.conf:37: [sizes]: there is no [case 18]");
  expect("values = 1 2 4\n", "", "lab.conf:28: [sweep] lacks 'values'");
  expect("values = 1 2 4\n", "values = 1 0\n",
         "lab.conf:31: '0' is not a whole number from 1 to 1024");
  expect("parameters = X Y\n", "parameters = X\n",
         "lab.conf:28: [sweep] needs two parameters, the block's extent in x and in y");
  expect("[sweep]\ncase = big\n", "[sweep]\ncase = bgi\n",
         "lab.conf:28: [sweep]: there is no [case bgi]");
  expect("[series sides]\ncase = 17\n", "[series sides]\ncase = 18\n",
         "lab.conf:33: [series sides]: there is no [case 18]");
  expect("dimension = N\n", "", "lab.conf:33: [series sides] lacks 'dimension'");
  expect("dimension = N\n", "dimension = ROWS\n",
         "lab.conf:33: [series sides]: 'ROWS' is no dimension of matmul that is a number");
  expect("to = 32\n", "to = 32\nfrom = 0\n",
         "lab.conf:33: [series sides]: N must be 1 or more: 'from' is 0");
  expect("to = 32\n", "to = 32\nfrom = 32\n",
         "lab.conf:33: [series sides]: 'to' must be above 'from', with at most 64 values");
  expect("to = 32\n", "to = 65\n",
         "lab.conf:33: [series sides]: 'to' must be above 'from', with at most 64 values");
  expect("to = 32\n", "to = 32\n[case x]\ndims = M=1 N=1 K=1\n[series sides]\ncase = 17\n",
         "lab.conf:39: [series sides] is given twice");
}

/* Longer than inih's own line limit, and going on in an indented line. */
static void test_long_lines(void **state) {
  (void)state;
  char text[sizeof good + 1000], hint[600] = "";
  for (int i = 0; i < 80; i++)
    snprintf(hint + strlen(hint), sizeof hint - strlen(hint), "word%d ", i % 10);
  hint[strlen(hint) - 1] = '\0';
  const char *sweep = strstr(good, "[sweep]");
  snprintf(text, sizeof text, "%.*shint = %s\n  and more\nunknwon = 1\n", (int)(sweep - good), good,
           hint);
  struct conf conf;
  char *error = read_text(text, &conf);
  assert_non_null(error);
  assert_non_null(strstr(error, "lab.conf:30: unknown key 'unknwon'"));
  free(error);
  assert_int_equal(strncmp(conf.items[1].hint, hint, strlen(hint)), 0);
  assert_string_equal(conf.items[1].hint + strlen(hint), " and more");
  conf_free(&conf);
}

/* What is printed of every key, and a bit of parser.seen for each. */
static void test_table(void **state) {
  (void)state;
  int count = 0;
  for (const struct conf_key *key = conf_keys; key->name; key++, count++) {
    if (!key->sentence || !*key->sentence) fail_msg("%s has no sentence", key->name);
    if (key->type == CONF_WHOLE || key->type == CONF_WHOLES)
      assert_true(key->min >= 0 && key->max > key->min);
    if (key->type == CONF_CHOICE) assert_non_null(key->words);
  }
  assert_in_range(count, 30, 64);
}

/* A note goes to stderr, and the value counts. */
static void test_former_name(void **state) {
  (void)state;
  char text[sizeof good];
  const char *at = strstr(good, "max_threads");
  snprintf(text, sizeof text, "%.*smost%s", (int)(at - good), good, at + strlen("max_threads"));
  struct conf conf;
  assert_null(read_text(text, &conf));
  assert_int_equal(conf.sweep.max_threads, 8);
  conf_free(&conf);
}

static void test_missing_file(void **state) {
  (void)state;
  struct conf conf;
  char *error;
  assert_int_equal(conf_read("/nonexistent", "lab.conf", &conf, &error), -1);
  assert_string_equal(error, "lab.conf: No such file or directory");
  free(error);
  conf_free(&conf);
}

/* 134229356 multiply-adds at 10, 788374 elements at 64, and 10^9, rounded up; or as given. */
static void test_budget(void **state) {
  (void)state;
  struct conf conf;
  assert_null(read_text(good, &conf));
  struct budget budget = conf_budget(&conf);
  assert_int_equal(budget.instructions, 2400000000);
  assert_int_equal(budget.calls, 100000);
  assert_int_equal(budget.bytes, 31000000000);
  conf_free(&conf);
  char text[sizeof good + 100];
  snprintf(text, sizeof text, "[lab]\ninstruction_budget = 7\ncopy_budget = 2\ncall_budget = 5\n%s",
           strstr(good, "title = "));
  assert_null(read_text(text, &conf));
  budget = conf_budget(&conf);
  assert_int_equal(budget.instructions, 7000000);
  assert_int_equal(budget.calls, 5);
  assert_int_equal(budget.bytes, 2 << 20);
  conf_free(&conf);
}

/* Times are for cases that are shown or scored by them, and for those that report one. */
static void test_timed_sets(void **state) {
  (void)state;
  char first[] = "17", second[] = "big", time[] = "time_ns", other[] = "launches";
  struct case_conf cases[] = {{.name = first, .sets = 3}, {.name = second, .sets = 2}};
  struct item_conf item = {.case_name = second, .metric = other};
  struct conf conf = {.cases = cases, .case_count = 2, .items = &item, .item_count = 1};
  assert_int_equal(conf_timed_sets(&conf, &cases[0]), 0);
  assert_int_equal(conf_timed_sets(&conf, &cases[1]), 0);
  item.metric = time;
  assert_int_equal(conf_timed_sets(&conf, &cases[0]), 0);
  assert_int_equal(conf_timed_sets(&conf, &cases[1]), 1);
  cases[0].show = true;
  assert_int_equal(conf_timed_sets(&conf, &cases[0]), 1);
  cases[0].elapsed = ELAPSED_KERNELS;
  assert_int_equal(conf_timed_sets(&conf, &cases[0]), 3);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_timed_sets),
      cmocka_unit_test(test_good),
      cmocka_unit_test(test_problem_of_function),
      cmocka_unit_test(test_errors),
      cmocka_unit_test(test_budget),
      cmocka_unit_test(test_long_lines),
      cmocka_unit_test(test_table),
      cmocka_unit_test(test_missing_file),
      cmocka_unit_test(test_former_name),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
