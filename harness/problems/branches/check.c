/* check.c: inputs and check of one of two computations for every element. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "grader/base/text.h"
#include "harness/problems/family.h"

extern const struct problem problem_branches;

enum { N, ROUNDS }; /* as in problem_branches */

/* One round for even elements, and one for odd ones. Both keep a number between 0 and 1 there, and
 * no round makes an error larger: the slopes are less than 1. */
static double even(double x) { return 0.9375 * x + 0.03125; }
static double odd(double x) { return 0.96875 * x; }

static double rounds_of(double (*round)(double), long rounds, double x) {
  while (rounds-- > 0) x = round(x);
  return x;
}

static double expected_of(const float *in, const long *dims, long i) {
  return rounds_of(i % 2 ? odd : even, dims[ROUNDS], (double)in[i]);
}

/* Two roundings a round at the most, each by 2^-25 at the most, as numbers are below 1. */
static double allowed(const long *dims) { return 2 * 0x1p-25 * (double)dims[ROUNDS]; }

static void make_inputs(const long *dims, uint64_t seed, void *const *inputs) {
  float *in = inputs[0];
  for (long i = 0; i < dims[N]; i++) in[i] = (float)(random_next(&seed) >> 40) * 0x1p-24f;
}

/* What do the wrong elements have in common? of[0]: of even ones, of[1]: of odd ones. */
struct wrong {
  long count, first, of[2];
  long other;     /* have what the other computation makes of them */
  long neighbour; /* have what belongs to the element beside them, of its pair */
  long unwritten;
};

static void describe(const struct wrong *wrong, char *text, size_t size) {
  *text = 0;
  if (wrong->other == wrong->count)
    snprintf(text, size, ": computed as if %s",
             wrong->of[0] == 0   ? "odd elements were even"
             : wrong->of[1] == 0 ? "even elements were odd"
                                 : "even were odd, odd even");
  else if (wrong->neighbour == wrong->count)
    snprintf(text, size, ": the two elements of a pair have changed places");
  else if (wrong->count > 1 && wrong->of[0] == 0)
    snprintf(text, size, ": all of them odd");
  else if (wrong->count > 1 && wrong->of[1] == 0)
    snprintf(text, size, ": all of them even");
}

static bool check(const long *dims, const void *const *inputs, const void *const *outputs,
                  uint64_t seed, struct finding *finding) {
  (void)seed; /* nothing is drawn at random: every element is compared */
  const float *in = inputs[0], *out = outputs[0];
  double within = allowed(dims);
  struct wrong wrong = {0};
  for (long i = 0; i < dims[N]; i++) {
    double got = (double)out[i];
    if (fabs(got - expected_of(in, dims, i)) <= within) continue; /* no NaN is */
    if (wrong.count++ == 0) wrong.first = i;
    wrong.of[i % 2]++;
    wrong.unwritten += isnan(out[i]);
    double other = rounds_of(i % 2 ? even : odd, dims[ROUNDS], (double)in[i]);
    wrong.other += fabs(got - other) <= within;
    long beside = i ^ 1;
    wrong.neighbour += beside < dims[N] && fabs(got - expected_of(in, dims, beside)) <= within;
  }
  if (wrong.count == 0) return true;
  char pattern[120];
  describe(&wrong, pattern, sizeof pattern);
  finding->array = "out";
  finding->explains = pattern[0] ? EXPLAINS_RESULTS : EXPLAINS_NOTHING;
  finding->unwritten = wrong.unwritten == wrong.count;
  snprintf(finding->text, sizeof finding->text,
           "out[%ld]: expected %.6g, got %.6g (%ld of %ld elements wrong%s)", wrong.first,
           expected_of(in, dims, wrong.first), shown(out[wrong.first]), wrong.count, dims[N],
           pattern);
  return false;
}

static double operations(const long *dims) { return 2 * (double)dims[N] * (double)dims[ROUNDS]; }

static double tolerance(const long *dims) { return 2 * allowed(dims); }

const struct family family_branches = {
    .problem = &problem_branches,
    .make_inputs = make_inputs,
    .check = check,
    .optional.tolerance = tolerance,
    .optional.operations = operations,
    .ceiling = CEILING_BYTES,
    .large = {1 << 26, 1},
};
