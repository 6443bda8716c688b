/* test_grader_summation.c: sums of vectors: every order is right, every lost element is wrong, and
 * what is said of sums that lack something. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "harness/problems/family.h"
#include "harness/problems/summation/lost.h"

extern const struct family family_summation;

static float *inputs(long n, uint64_t seed) {
  float *x = calloc((size_t)n, sizeof *x);
  family_summation.make_inputs((long[]){n}, seed, (void *[]){x});
  return x;
}

static bool is_right(const float *x, long n, float got, struct finding *finding) {
  return family_summation.check((long[]){n}, (const void *[]){x}, (const void *[]){&got}, 0,
                                finding);
}

/* --- ways to add up --- */

static float forwards(const float *x, long n) {
  float sum = 0;
  for (long i = 0; i < n; i++) sum += x[i];
  return sum;
}

static float backwards(const float *x, long n) {
  float sum = 0;
  for (long i = n - 1; i >= 0; i--) sum += x[i];
  return sum;
}

static float pairwise(const float *x, long n) {
  return n == 1 ? x[0] : pairwise(x, n / 2) + pairwise(x + n / 2, n - n / 2);
}

/* As 1000 threads with a stride do, whose sums go to one place by atomics. */
static float strided(const float *x, long n) {
  float sum = 0;
  for (long t = 0; t < 1000; t++) {
    float own = 0;
    for (long i = t; i < n; i += 1000) own += x[i];
    sum += own;
  }
  return sum;
}

/* Blocks of 256 in an order of their own, each by one atomic. */
static float blocks(const float *x, long n) {
  float sum = 0;
  long count = (n + 255) / 256;
  for (long b = 0; b < count; b++) {
    long first = b * 7919 % count * 256;
    sum += pairwise(x + first, n - first < 256 ? n - first : 256);
  }
  return sum;
}

static float kahan(const float *x, long n) {
  float sum = 0, rest = 0;
  for (long i = 0; i < n; i++) {
    float y = x[i] - rest;
    volatile float t = sum + y;
    rest = (t - sum) - y;
    sum = t;
  }
  return sum;
}

static float in_double(const float *x, long n) {
  double sum = 0;
  for (long i = 0; i < n; i++) sum += (double)x[i];
  return (float)sum;
}

static void test_every_order(void **state) {
  (void)state;
  float (*const ways[])(const float *, long) = {forwards, backwards, pairwise, strided,
                                                blocks,   kahan,     in_double};
  static const long counts[] = {1, 2, 3, 31, 32, 33, 1000, 99991, 1 << 20, 1 << 22};
  double worst = 0;
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
    long n = counts[c];
    for (uint64_t seed = 0; seed < (n > 1 << 20 ? 3 : 20); seed++) {
      float *x = inputs(n, seed);
      double exact = 0;
      for (long i = 0; i < n; i++) exact += (double)x[i];
      for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        float got = ways[w](x, n);
        double share = fabs((double)got - exact) / summation_allowed(n);
        worst = fmax(worst, share);
        assert_true(is_right(x, n, got, &(struct finding){0}));
      }
      free(x);
    }
  }
  assert_true(worst > 0.02 && worst < 0.5); /* neither tight nor ten times too wide */
}

static void test_every_element_counts(void **state) {
  (void)state;
  static const long counts[] = {1, 2, 33, 1000, 1 << 20};
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
    long n = counts[c];
    float *x = inputs(n, 5);
    float sum = pairwise(x, n);
    for (long i = 0; i < n; i += n / 37 + 1) {
      assert_true(fabsf(x[i]) >= 0.5f && fabsf(x[i]) <= 1);
      assert_false(is_right(x, n, sum - x[i], &(struct finding){0}));
      assert_false(is_right(x, n, sum + x[i], &(struct finding){0}));
    }
    free(x);
  }
  assert_true(family_tolerance(&family_summation, (long[]){1 << 20}) < 0.5);
}

/* --- words --- */

static float sum_of(const float *x, long first, long end, long step) {
  double sum = 0;
  for (long i = first; i < end; i += step) sum += (double)x[i];
  return (float)sum;
}

static void expect(const float *x, long n, float got, const char *words) {
  char text[200];
  bool known = summation_describe(x, n, got, text, sizeof text);
  if (known != (words != NULL) || (words && !strstr(text, words)))
    fail_msg("n %ld: '%s' lacks '%s'", n, text, words ? words : "(nothing)");
}

static void test_ends(void **state) {
  (void)state;
  long n = 1000;
  float *x = inputs(n, 1), sum = sum_of(x, 0, n, 1);
  expect(x, n, sum_of(x, 0, 999, 1), "the last element is missing");
  expect(x, n, sum_of(x, 0, 997, 1), "the last 3 elements are missing");
  expect(x, n, sum_of(x, 0, 768, 1), "the last 232 elements are missing: n is no multiple of 256");
  expect(x, n, sum_of(x, 1, n, 1), "the first element is missing");
  expect(x, n, sum + x[0], "the first element is counted twice");
  expect(x, n, sum + sum_of(x, 998, n, 1), "the last 2 elements are counted twice");
  expect(x, n, x[7], "it is element 7 alone");
  expect(x, n, 2 * sum, "every element is counted 2 times");
  expect(x, n, 32 * sum, "every element is counted 32 times");
  free(x);
}

static void test_parts(void **state) {
  (void)state;
  long n = 100003;
  float *x = inputs(n, 2);
  expect(x, n, sum_of(x, 0, 256, 1), "the sum of the first 256 elements alone");
  expect(x, n, sum_of(x, 99840, n, 1), "the sum of elements 99840 to 100002 alone");
  expect(x, n, sum_of(x, 0, n, 2), "of every 2 elements only the first is counted");
  expect(x, n, sum_of(x, 0, n, 32), "of every 32 elements only the first is counted");
  float halves = 0, others = 0;
  for (long i = 0; i < n; i++) *(i % 512 < 256 ? &halves : &others) += x[i];
  expect(x, n, halves, "of every 512 elements only the first 256 are counted");
  expect(x, n, others, "of every 512 elements only the last 256 are counted");
  float warps = 0;
  for (long i = 0; i < n; i++) warps += i % 256 < 32 ? x[i] : 0;
  expect(x, n, warps, "of every 256 elements only the first 32 are counted");
  free(x);
}

static void test_no_number(void **state) {
  (void)state;
  float *x = inputs(100, 3), untouched;
  memset(&untouched, 0xff, sizeof untouched);
  expect(x, 100, untouched, "nothing was written there");
  expect(x, 100, NAN, "set it to 0 first");
  struct finding finding = {0};
  assert_false(is_right(x, 100, untouched, &finding));
  assert_true(finding.unwritten);
  assert_false(is_right(x, 100, NAN, &finding));
  assert_false(finding.unwritten);
  expect(x, 100, 1e30f, NULL);
  assert_false(is_right(x, 100, INFINITY, &finding));
  free(x);
}

/* A little off, as in lower precision: by nothing that an end of a few elements would fit. */
static void test_little_errors(void **state) {
  (void)state;
  static const long counts[] = {1000, 100003, 1 << 20};
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
    long n = counts[c];
    float *x = inputs(n, 7), sum = sum_of(x, 0, n, 1);
    int explained = 0;
    for (int i = 1; i <= 40; i++) {
      char text[200];
      explained += summation_describe(x, n, sum + 0.1137f * (float)i, text, sizeof text);
    }
    if (explained > 2) fail_msg("n %ld: %d of 40 explained", n, explained);
    free(x);
  }
}

/* Sums that lack elements at random are not explained, or hardly ever. */
static void test_nothing_is_made_up(void **state) {
  (void)state;
  static const long counts[] = {1000, 100003, 1 << 20};
  uint64_t random = 4;
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
    long n = counts[c];
    float *x = inputs(n, 6);
    int explained = 0, tries = n > 1000 ? 20 : 500;
    for (int i = 0; i < tries; i++) {
      double sum = 0;
      for (long j = 0; j < n; j++) sum += random_next(&random) % 8 ? (double)x[j] : 0;
      char text[200];
      explained += summation_describe(x, n, (float)sum, text, sizeof text);
    }
    if (explained > tries / 20) fail_msg("n %ld: %d of %d explained", n, explained, tries);
    free(x);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_every_order),   cmocka_unit_test(test_every_element_counts),
      cmocka_unit_test(test_ends),          cmocka_unit_test(test_parts),
      cmocka_unit_test(test_no_number),     cmocka_unit_test(test_nothing_is_made_up),
      cmocka_unit_test(test_little_errors),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
