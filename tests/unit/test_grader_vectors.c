/* test_grader_vectors.c: the problems of lab 0: what copies and sums of vectors must be, and in
 * which words wrong ones are described; dimensions with words for values. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "grader/lab/dims.h"
#include "harness/problems/copy/places.h"
#include "harness/problems/elements.h"

extern const struct family family_copy, family_vector_add;

static void expect_words(const struct finding *finding, const char *words) {
  if (!strstr(finding->text, words)) fail_msg("'%s' does not say '%s'", finding->text, words);
}

static void test_vector(void **state) {
  (void)state;
  float expected[100], got[100];
  elements_fill(expected, 100, 1);
  memcpy(got, expected, sizeof got);
  struct finding finding = {0};
  assert_true(elements_check("out", expected, got, 100, 0, &finding));
  got[7] = nextafterf(got[7], 2);
  assert_true(elements_check("out", expected, got, 100, 1, &finding));
  assert_false(elements_check("out", expected, got, 100, 0, &finding));
  expect_words(&finding, "out[7]: expected ");
  expect_words(&finding, "(1 of 100 elements wrong)");

  memcpy(got, expected, sizeof got);
  for (int i = 64; i < 80; i++) got[i] = 0;
  assert_false(elements_check("out", expected, got, 100, 1, &finding));
  expect_words(&finding, "elements 64 to 79 are 0");
  for (int i = 80; i < 100; i++) got[i] = 0;
  assert_false(elements_check("out", expected, got, 100, 1, &finding));
  expect_words(&finding, "all from element 64 on are 0");
  got[70] = expected[70];
  assert_false(elements_check("out", expected, got, 100, 1, &finding));
  expect_words(&finding, "every wrong element is 0");

  memcpy(got, expected + 1, 99 * sizeof *got);
  assert_false(elements_check("out", expected, got, 100, 1, &finding));
  expect_words(&finding, "each is what belongs 1 place further on");
  assert_int_equal(finding.explains, EXPLAINS_STRAYS);

  for (int i = 0; i < 100; i++) got[i] = i < 64 ? expected[i] : NAN;
  finding = (struct finding){0};
  assert_false(elements_check("out", expected, got, 100, 1, &finding));
  expect_words(&finding, "all from element 64 on");
  assert_true(finding.unwritten);
}

/* Element 5 of each pattern with step 3 comes from there; so long is in. */
static void test_copy(void **state) {
  (void)state;
  static const struct {
    enum copy_pattern pattern;
    long place, length;
  } rows[] = {{COPY_OFFSET, 8, 40 + 3},
              {COPY_STRIDE, 15, 39 * 3 + 1},
              {COPY_PERMUTED, 6, 40},
              {COPY_REPEATED, 1, 14},
              {COPY_PARTIAL, COPY_NOWHERE, 35}};
  for (size_t r = 0; r < sizeof rows / sizeof *rows; r++) {
    const long dims[PROBLEM_MAX_DIMS] = {
        [COPY_N] = 40, [COPY_PATTERN] = rows[r].pattern, [COPY_STEP] = 3};
    size_t length = problem_elements(family_copy.problem, 0, dims);
    assert_int_equal(copy_place(dims, 5), rows[r].place);
    assert_int_equal(length, rows[r].length);
    float *in = malloc(length * sizeof *in), out[40];
    void *inputs[] = {in};
    const void *given[] = {in}, *outputs[] = {out};
    family_copy.make_inputs(dims, 9, inputs);
    for (long i = 0; i < 40; i++)
      out[i] = copy_place(dims, i) == COPY_NOWHERE ? 0 : in[copy_place(dims, i)];
    struct finding finding = {0};
    assert_true(family_copy.check(dims, given, outputs, 0, &finding));
    out[5] = in[12];
    assert_false(family_copy.check(dims, given, outputs, 0, &finding));
    expect_words(&finding, "out[5]: expected ");
    expect_words(&finding, "; what is there is in[12]");
    free(in);
  }
}

static void test_sum(void **state) {
  (void)state;
  const long dims[PROBLEM_MAX_DIMS] = {50};
  float a[50], b[50], out[50], milliseconds = 1;
  void *inputs[] = {a, b};
  const void *given[] = {a, b}, *outputs[] = {out, &milliseconds};
  family_vector_add.make_inputs(dims, 3, inputs);
  assert_true(a[0] != b[0]);
  for (int i = 0; i < 50; i++) out[i] = a[i] + b[i];
  struct finding finding = {0};
  assert_true(family_vector_add.check(dims, given, outputs, 0, &finding));
  out[49] = a[49];
  assert_false(family_vector_add.check(dims, given, outputs, 0, &finding));
  expect_words(&finding, "out[49]");
}

static void expect_error(const char *text, const char *words) {
  long dims[PROBLEM_MAX_DIMS];
  int which;
  char *error = dims_set(family_copy.problem, text, dims, &which);
  assert_non_null(error);
  assert_string_equal(error, words);
  free(error);
}

static void test_dims(void **state) {
  (void)state;
  long dims[PROBLEM_MAX_DIMS] = {0};
  int which = -1;
  assert_null(dims_set(family_copy.problem, "N=100000000", dims, &which));
  assert_true(which == COPY_N && dims[COPY_N] == 100000000);
  assert_null(dims_set(family_copy.problem, "STEP=0", dims, &which));
  assert_true(which == COPY_STEP && dims[COPY_STEP] == 0);
  assert_null(dims_set(family_copy.problem, "PATTERN=stride", dims, &which));
  assert_true(which == COPY_PATTERN && dims[COPY_PATTERN] == COPY_STRIDE);
  char *value = dims_value(family_copy.problem, COPY_PATTERN, COPY_STRIDE),
       *example = dims_example(family_copy.problem, ",");
  assert_string_equal(value, "stride");
  assert_string_equal(example, "N=64,PATTERN=offset,STEP=64");
  free(value);
  free(example);
  expect_error("N=0", "'0' is not a whole number from 1 to 268435456");
  expect_error("STEP=-1", "'-1' is not a whole number from 0 to 268435456");
  expect_error("STEP=2x", "'2x' is not a whole number from 0 to 268435456");
  expect_error("PATTERN=2", "'2' is none of: offset, stride, permuted, repeated, partial");
  expect_error("STRIDE=2", "'STRIDE' is not a dimension of copy, written as N=17");
  expect_error("N", "'N' is not a dimension of copy, written as N=17");
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_vector), cmocka_unit_test(test_copy),
                                     cmocka_unit_test(test_sum), cmocka_unit_test(test_dims)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
