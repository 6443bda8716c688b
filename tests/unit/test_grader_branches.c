/* test_grader_branches.c: one of two computations for every element: right results, and what is
 * said of wrong ones. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "harness/problems/family.h"

extern const struct family family_branches;

static const long dims[] = {1001, 32}; /* elements, rounds */
enum { N = 1001 };

static float computed(float x, long rounds, bool odd) {
  for (long i = 0; i < rounds; i++) x = odd ? 0.96875f * x : fmaf(0.9375f, x, 0.03125f);
  return x;
}

/* Element i of out is made of in[from(i)] by the computation of odd ones where is_odd(i). */
static void expect(long (*from)(long), bool (*is_odd)(long), const char *words) {
  static float in[N], out[N];
  family_branches.make_inputs(dims, 7, (void *[]){in});
  for (long i = 0; i < N; i++) out[i] = computed(in[from(i)], dims[1], is_odd(i));
  struct finding finding = {0};
  bool right =
      family_branches.check(dims, (const void *[]){in}, (const void *[]){out}, 0, &finding);
  assert_int_equal(right, words == NULL);
  if (words && !strstr(finding.text, words)) fail_msg("'%s' lacks '%s'", finding.text, words);
}

static long itself(long i) { return i; }
static long neighbour(long i) { return i == N - 1 ? i : i ^ 1; }
static long shifted_if_odd(long i) { return i % 2 ? (i + 2) % N : i; }
static bool if_odd(long i) { return i % 2 != 0; }
static bool if_even(long i) { return i % 2 == 0; }
static bool never(long i) { return (void)i, false; }
static bool always(long i) { return (void)i, true; }
static bool of_neighbour(long i) { return i == N - 1 ? false : i % 2 == 0; }

static void test_words(void **state) {
  (void)state;
  expect(itself, if_odd, NULL);
  expect(itself, if_even, "computed as if even were odd, odd even");
  expect(itself, never, "computed as if odd elements were even");
  expect(itself, always, "computed as if even elements were odd");
  expect(neighbour, of_neighbour, "the two elements of a pair have changed places");
  expect(shifted_if_odd, if_odd, "of 1001 elements wrong: all of them odd");
}

static void test_unwritten(void **state) {
  (void)state;
  static float in[N], out[N];
  family_branches.make_inputs(dims, 8, (void *[]){in});
  memset(out, 0xff, sizeof out);
  struct finding finding = {0};
  assert_false(
      family_branches.check(dims, (const void *[]){in}, (const void *[]){out}, 0, &finding));
  assert_true(finding.unwritten);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(test_words),
      cmocka_unit_test(test_unwritten),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
