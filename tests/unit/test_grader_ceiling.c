/* test_grader_ceiling.c: ceilings: the best of all ways, kept, measured anew, and programs that
 * fail. The programs are scripts in a kit made here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <cmocka.h>

#include "grader/run/ceiling.h"

extern const struct family family_matmul, family_transpose;

static char root[] = "/tmp/test-ceiling-XXXXXX";
static struct kit kit;
static const long dims[PROBLEM_MAX_DIMS] = {1000, 500};

static void write_program(const char *name, const char *text) {
  char path[200];
  snprintf(path, sizeof path, "%s/build/gpu/%s", root, name);
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fputs(text, file);
  fclose(file);
  assert_int_equal(chmod(path, 0755), 0);
}

static int set_up(void **state) {
  (void)state;
  char path[200];
  assert_non_null(mkdtemp(root));
  kit.root = root;
  snprintf(path, sizeof path, "%s/build", root);
  assert_int_equal(mkdir(path, 0700), 0);
  snprintf(path, sizeof path, "%s/build/gpu", root);
  return mkdir(path, 0700);
}

static int tear_down(void **state) {
  (void)state;
  char command[200];
  snprintf(command, sizeof command, "rm -r %s", root);
  return system(command);
}

static int runs(void) {
  char path[200];
  snprintf(path, sizeof path, "%s/log", root);
  FILE *file = fopen(path, "r");
  int lines = 0;
  for (int c; file && (c = fgetc(file)) != EOF;) lines += c == '\n';
  if (file) fclose(file);
  return lines;
}

/* 4 MB in 8000 ns by the kernel, in 5000 ns by the copy function. */
static void test_best(void **state) {
  (void)state;
  char text[600];
  snprintf(text, sizeof text,
           "#!/bin/sh\necho \"$@\" >>%s/log\n[ \"$4 $5\" = 'ROWS=1000 COLS=500' ] || exit 1\n"
           "case $2 in copy_memcpy) ns=5000 ;; copy_float4) ns=8000 ;; esac\n"
           "printf 'median_ns\\tdeviation_ns\\tdevice\\n%%s\\t7\\tA GPU\\n' \"$ns\"\n",
           root);
  write_program("ceiling-transpose", text);
  for (int kept = 0; kept < 2; kept++) { /* the second time from what was kept of the first */
    struct ceiling ceiling;
    char *why = NULL;
    assert_true(ceiling_best(&kit, &family_transpose, dims, "A GPU", &ceiling, &why));
    assert_string_equal(ceiling.name, "cudaMemcpyAsync");
    assert_string_equal(ceiling.device, "A GPU");
    assert_true(ceiling.per_ns > 799.9 && ceiling.per_ns < 800.1);
    assert_int_equal(runs(), 2);
    free(ceiling.device);
  }
  struct ceiling ceiling;
  char *why = NULL;
  assert_true(ceiling_best(&kit, &family_transpose, dims, NULL, &ceiling, &why)); /* anew */
  assert_int_equal(runs(), 4);
  free(ceiling.device);
  assert_true(ceiling_best(&kit, &family_transpose, dims, "Another", &ceiling, &why));
  assert_int_equal(runs(), 6);
  free(ceiling.device);
}

static void expect_failure(const char *words) {
  struct ceiling ceiling;
  char *why = NULL;
  assert_false(ceiling_best(&kit, &family_matmul, family_matmul.large, "A GPU", &ceiling, &why));
  if (!strstr(why, words)) fail_msg("'%s' does not say '%s'", why, words);
  free(why);
}

static void test_failures(void **state) {
  (void)state;
  expect_failure("where nvcc, its libraries and a GPU are");
  write_program("ceiling-matmul", "#!/bin/sh\necho 'result: no device'\n");
  expect_failure("reports: result: no device");
  write_program("ceiling-matmul", "#!/bin/sh\nprintf 'median_ns\\tdevice\\n-5\\tA GPU\\n'\n");
  expect_failure("reports: median_ns");
}

/* The first way is the best, or the only one that can be measured. */
static void test_second_way(void **state) {
  (void)state;
  static const char *const seconds[] = {"ns=9000", "exit 1"};
  for (int fails = 0; fails < 2; fails++) {
    char text[600];
    snprintf(text, sizeof text,
             "#!/bin/sh\ncase $2 in copy_memcpy) %s ;; copy_float4) ns=4000 ;; esac\n"
             "printf 'median_ns\\tdeviation_ns\\tdevice\\n%%s\\t7\\tA GPU\\n' \"$ns\"\n",
             seconds[fails]);
    write_program("ceiling-transpose", text);
    struct ceiling ceiling;
    char *why = NULL;
    assert_int_equal(ceiling_best(&kit, &family_transpose, dims, NULL, &ceiling, &why), !fails);
    if (fails)
      assert_null(ceiling.device);
    else
      assert_string_equal(ceiling.name, "a float4 copy");
    free(ceiling.device);
    free(why);
  }
}

static void test_described(void **state) {
  (void)state;
  struct ceiling ceiling;
  char *why = NULL;
  assert_true(ceiling_described(CEILING_OPERATIONS, &ceiling, &why));
  assert_null(ceiling.device);
  assert_true(ceiling.per_ns > 1000 && strcmp(ceiling_unit(CEILING_OPERATIONS), "TFLOP/s") == 0);
  setenv("KIT_SIM_GPU", "/nonexistent.ini", 1);
  assert_false(ceiling_described(CEILING_BYTES, &ceiling, &why));
  assert_non_null(strstr(why, "/nonexistent.ini"));
  free(why);
  unsetenv("KIT_SIM_GPU");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_best), cmocka_unit_test(test_failures),
                                     cmocka_unit_test(test_second_way),
                                     cmocka_unit_test(test_described)};
  return cmocka_run_group_tests(tests, set_up, tear_down);
}
