/* check.c: inputs and check of a sum of floats, which may be added up in any order.
 *
 * How far may it be off? Let u = 2^-24, the largest relative error of an addition. An order of n -
 * 1 additions has the partial sums S_2 .. S_n and, to first order, the error
 *
 *     sum of d_k S_k, |d_k| <= u,   which is at most (n - 1) u sum |x_i|
 *
 * (Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., 4.2). That holds for every
 * order and all data, and says little: for n = 2^22 it is a quarter of sum |x_i|, a million
 * elements. It is reached where all d_k have one sign and so have all x_i. Here signs are drawn at
 * random: S_k of k elements is s sqrt(k) in the root mean square, s = sqrt(7/12) = 0.76 for sizes
 * evenly spread from 1/2 to 1. Taking d_k as independent with mean 0 (Higham and Mary, A new
 * approach to probabilistic rounding error analysis, SIAM J. Sci. Comput. 41(5), 2019), errors add
 * up as squares. The order with the largest partial sums is one element after the other, S_k of k
 * elements for each k:
 *
 *     root mean square <= u s sqrt(1 + 2 + .. + n) = u s n / sqrt(2) = 0.54 u n
 *
 * A tree's is u s sqrt(n log2(n)), far less. Six times that is allowed, 3.24 u n. It is what any
 * right way keeps: one thread's loop, atomics in any order, trees, doubles, Kahan's. And it is less
 * than 0.25 for n up to 2^20, half the size of the smallest element: each that is lost shows. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/problems/family.h"
#include "harness/problems/summation/lost.h"

extern const struct problem problem_summation;

enum { N }; /* as in problem_summation */

double summation_allowed(long count) { return 3.24 * 0x1p-24 * (double)count; }

/* Either sign, sizes from 1/2 to 1. */
static void make_inputs(const long *dims, uint64_t seed, void *const *inputs) {
  float *in = inputs[0];
  for (long i = 0; i < dims[N]; i++) {
    uint64_t bits = random_next(&seed);
    float size = 0.5f + (float)(bits >> 41) * 0x1p-24f;
    in[i] = bits & 1 ? size : -size;
  }
}

static bool check(const long *dims, const void *const *inputs, const void *const *outputs,
                  uint64_t seed, struct finding *finding) {
  (void)seed; /* nothing is drawn at random: every element is added up */
  const float *in = inputs[0];
  float got = *(const float *)outputs[0];
  double sum = 0; /* its own error, n 2^-53, is nothing beside what is allowed */
  for (long i = 0; i < dims[N]; i++) sum += (double)in[i];
  if (fabs((double)got - sum) <= summation_allowed(dims[N])) return true; /* no NaN is */
  char text[200];
  bool known = summation_describe(in, dims[N], got, text, sizeof text);
  finding->array = "out";
  finding->explains = known && !isnan(got) ? EXPLAINS_RESULTS : EXPLAINS_NOTHING;
  static const unsigned char before[sizeof got] = {0xff, 0xff, 0xff, 0xff};
  finding->unwritten = memcmp(&got, before, sizeof before) == 0;
  snprintf(finding->text, sizeof finding->text,
           "out: expected %.6g, within %.2g in any order of %ld elements; got %.6g%s%s", sum,
           summation_allowed(dims[N]), dims[N], shown(got), known ? ": " : "", text);
  return false;
}

static double operations(const long *dims) { return (double)dims[N]; }

static double tolerance(const long *dims) { return 2 * summation_allowed(dims[N]); }

const struct family family_summation = {
    .problem = &problem_summation,
    .make_inputs = make_inputs,
    .check = check,
    .optional.tolerance = tolerance,
    .optional.operations = operations,
    .ceiling = CEILING_BYTES,
    .ceilings = {{"read_float4", "a float4 read"}, {"read_atomic", "a float4 read, one launch"}},
    .large = {1 << 26},
};
