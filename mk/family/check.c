/* check.c: inputs and check of rowsum, out[i] = the sum of row i of in. */
#include <math.h>
#include <stdio.h>

#include "harness/problems/elements.h"

enum { ROWS, COLS }; /* as in problem_rowsum */

extern const struct problem problem_rowsum;

static void make_inputs(const long *dims, uint64_t seed, void *const *inputs) {
  elements_fill(inputs[0], problem_elements(&problem_rowsum, 0, dims), seed);
}

/* A sum of n terms is off by at most about n * 2^-24 times the sum of their magnitudes, whatever
 * its order (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 4.2). */
static double sum_tolerance(const long *dims, double magnitudes) {
  return (double)dims[COLS] * 0x1p-24 * magnitudes;
}

static bool check(const long *dims, const void *const *inputs, const void *const *outputs,
                  uint64_t seed, struct finding *finding) {
  (void)seed; /* nothing is drawn at random: every element is compared */
  const float *in = inputs[0], *out = outputs[0];
  long wrong = 0, unwritten = 0, first = 0;
  double first_expected = 0;
  for (long row = 0; row < dims[ROWS]; row++) {
    double sum = 0, magnitudes = 0;
    for (long col = 0; col < dims[COLS]; col++) {
      sum += (double)in[row * dims[COLS] + col];
      magnitudes += fabs((double)in[row * dims[COLS] + col]);
    }
    if (fabs((double)out[row] - sum) <= sum_tolerance(dims, magnitudes)) continue; /* no NaN is */
    if (wrong++ == 0) first = row, first_expected = sum;
    unwritten += isnan(out[row]);
  }
  if (wrong == 0) return true;
  finding->array = "out";
  finding->unwritten = unwritten == wrong;
  snprintf(finding->text, sizeof finding->text,
           "out[%ld]: expected %.6g, got %.6g (%ld of %ld elements wrong)", first, first_expected,
           shown(out[first]), wrong, dims[ROWS]);
  return false;
}

/* Both may be off by that of a row of ones. */
static double tolerance(const long *dims) { return 2 * sum_tolerance(dims, (double)dims[COLS]); }

static double operations(const long *dims) { return (double)dims[ROWS] * (double)dims[COLS]; }

const struct family family_rowsum = {
    .problem = &problem_rowsum,
    .make_inputs = make_inputs,
    .check = check,
    .optional.tolerance = tolerance,
    .optional.operations = operations,
    .ceiling = CEILING_BYTES,
    .large = {8192, 8192},
};
