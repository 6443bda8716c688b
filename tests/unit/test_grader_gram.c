/* test_grader_gram.c: A times A transposed is right in single precision, and what is wrong is named
 * in words of A alone. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "harness/problems/family.h"

extern const struct family family_gram;

struct work {
  long dims[PROBLEM_MAX_DIMS];
  float *a, *c;
};

/* Of which element of A a wrong thread takes its factor k. */
typedef long place(const struct work *w, long row, long column, long k);

static long of_row(const struct work *w, long row, long column, long k) {
  return (void)column, row * w->dims[1] + k;
}
static long of_column(const struct work *w, long row, long column, long k) {
  return (void)row, column * w->dims[1] + k;
}
static long not_transposed(const struct work *w, long row, long column, long k) {
  return (void)row, k * w->dims[1] + column;
}
static long row_of_m(const struct work *w, long row, long column, long k) {
  return (void)column, row * w->dims[0] + k;
}
static long column_of_m(const struct work *w, long row, long column, long k) {
  return (void)row, column * w->dims[0] + k;
}
/* A tile of 16 x 16 that holds rows of A, read as if it held columns. */
static long not_turned(const struct work *w, long row, long column, long k) {
  (void)row;
  return (column / 16 * 16 + k % 16) * w->dims[1] + k / 16 * 16 + column % 16;
}
static long row_turned(const struct work *w, long row, long column, long k) {
  (void)column;
  return (row / 16 * 16 + k % 16) * w->dims[1] + k / 16 * 16 + row % 16;
}

/* Sums of the products of two such factors; what lies outside of A is anything. */
static void fill(struct work *w, place *left, place *right) {
  long m = w->dims[0], k = w->dims[1];
  for (long i = 0; i < m; i++)
    for (long j = 0; j < m; j++) {
      float sum = 0;
      for (long x = 0; x < k; x++) {
        long a = left(w, i, j, x), b = right(w, i, j, x);
        sum += a < m * k && b < m * k ? w->a[a] * w->a[b] : 1e30f;
      }
      w->c[i * m + j] = sum;
    }
}

static void expect_finding(long m, long k, place *left, place *right, const char *words) {
  struct work w = {.dims = {m, k}};
  w.a = malloc(sizeof(float) * (size_t)(m * k));
  w.c = malloc(sizeof(float) * (size_t)(m * m));
  family_gram.make_inputs(w.dims, 42, (void *[]){w.a});
  fill(&w, left, right);
  struct finding finding = {0};
  bool is_right =
      family_gram.check(w.dims, (const void *[]){w.a}, (const void *[]){w.c}, 7, &finding);
  if (is_right != !words) fail_msg("%ld x %ld: %s", m, k, is_right ? "not refused" : finding.text);
  if (words && !strstr(finding.text, words))
    fail_msg("'%s' does not say '%s'", finding.text, words);
  free(w.a);
  free(w.c);
}

static void test_right(void **state) {
  (void)state;
  const long sizes[][2] = {{1, 1}, {33, 32}, {100, 32}, {40, 1000}, {1000, 32}};
  for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
    expect_finding(sizes[i][0], sizes[i][1], of_row, of_column, NULL);
}

static void test_wrong(void **state) {
  (void)state;
  for (int large = 0; large <= 1; large++) { /* all elements compared, and Freivalds */
    long m = large ? 400 : 53, k = large ? 300 : 32;
    expect_finding(m, k, of_row, not_transposed, "in the place of its transpose");
    expect_finding(m, k, of_row, column_of_m, "as if its rows had M");
    expect_finding(m, k, row_of_m, of_column, "as if its rows had M");
    expect_finding(m, k, row_of_m, column_of_m, "as if its rows had M");
  }
  expect_finding(64, 32, of_row, not_turned, "the tile of C's columns is read");
  expect_finding(64, 32, row_turned, of_column, "the tile of C's rows is read");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_right),
      cmocka_unit_test(test_wrong),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
