/* product.c: expected elements of a matrix product in double precision, and the tolerance.
 *
 * The tolerance. Let u = 2^-24 be single precision's unit roundoff and S = sum over k of
 * |a_ik||b_kj|. Whatever the order of the K products and sums, with or without FMA, split over
 * threads or not, the computed element differs from the exact one by at most gamma_K S,
 * gamma_K = K u / (1 - K u) (N. J. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed.,
 * section 3.1, (3.5)). We take it, with two roundings to spare, for K <= 14.
 *
 * For a large K that worst case is so wide that half-precision inputs slip through: it grows like
 * K^2, their error like sqrt(K). But rounding errors do not all point the same way. With errors of
 * mean zero the bound is of order sqrt(K) u S (N. J. Higham and T. Mary, A new approach to
 * probabilistic rounding error analysis, SIAM J. Sci. Comput. 41(5), 2019); and as our inputs are
 * independent with mean zero, too, the partial sums are a random walk and the error is of order u S
 * with no factor that grows with K (the same, Sharper probabilistic backward error analysis for
 * basic linear algebra kernels with random data, SIAM J. Sci. Comput. 42(5), 2020). For values
 * uniform in [-1, 1), summing one by one gives a root mean square of about 0.5 u S; adding all
 * positive products before all negative ones, the worst order we know, about 3 u S at K = 1000 and
 * 13 at K = 4096. So: max(16, sqrt(K)) u S, 30 standard deviations and more for ordinary code.
 *
 * Inputs rounded to TF32 or half (11 bits) err by 730 u S (root mean square) at K = 64, by 180 at
 * K = 1000, by 90 at K = 4096 and 60 at K = 8192: many elements fail; from K = 30000 on, few would.
 *
 * Our own sum is in double: the product of two floats is exact there, and K roundings of 2^-53 are
 * as good as none.
 */
#include "harness/problems/matmul/product.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "harness/problems/matmul/product_pattern.h"

/* Up to this many multiplications every element is compared (a few 10 ms); beyond it Freivalds'
 * test looks for the rows. */
static const double elementwise_limit = 0x1p24;

double product_tolerance(long k) {
  const double u = 0x1p-24;
  double roundings = (double)k + 2;
  double worst = roundings * u / (1 - roundings * u);
  return fmin(worst, fmax(16, sqrt((double)k)) * u);
}

/* FLT_MIN: what flushing a denormal to zero may add for each product. */
static double tolerance(long k, double magnitude) {
  return product_tolerance(k) * magnitude + (double)k * (double)FLT_MIN;
}

static struct expected dot(const float *x, const float *y, long y_stride, long k) {
  double sum = 0, magnitude = 0;
  for (long i = 0; i < k; i++) {
    double term = (double)x[i] * (double)y[i * y_stride];
    sum += term;
    magnitude += fabs(term);
  }
  return (struct expected){sum, tolerance(k, magnitude)};
}

struct expected product_element(const struct product *p, long row, long column) {
  return dot(p->a + row * p->k, p->b + column, p->n, p->k);
}

void product_row(const struct product *p, long row, struct expected *elements) {
  memset(elements, 0, (size_t)p->n * sizeof *elements);
  for (long i = 0; i < p->k; i++) {
    double a = (double)p->a[row * p->k + i];
    const float *b = p->b + i * p->n;
    for (long j = 0; j < p->n; j++) {
      double term = a * (double)b[j];
      elements[j].value += term;
      elements[j].tolerance += fabs(term);
    }
  }
  for (long j = 0; j < p->n; j++) elements[j].tolerance = tolerance(p->k, elements[j].tolerance);
}

void product_column(const struct product *p, long column, struct expected *elements,
                    float *scratch) {
  for (long i = 0; i < p->k; i++) scratch[i] = p->b[i * p->n + column];
  for (long i = 0; i < p->m; i++) elements[i] = dot(p->a + i * p->k, scratch, 1, p->k);
}

bool product_right(struct expected expected, float got) {
  return fabs((double)got - expected.value) <= expected.tolerance;
}

void wrongs_init(struct wrongs *wrongs, const struct product *p) {
  memset(wrongs, 0, sizeof *wrongs);
  wrongs->rows = xcalloc((size_t)p->m, sizeof *wrongs->rows);
  wrongs->columns = xcalloc((size_t)p->n, sizeof *wrongs->columns);
}

void wrongs_free(struct wrongs *wrongs) {
  free(wrongs->rows);
  free(wrongs->columns);
}

/* Keeps a random sample of all wrong elements, each as likely as any other (reservoir sampling).
 * One with a fixed step would often lie in a single column: rows, too, have a length of 2^i. */
static void add_sample(struct wrongs *wrongs, uint64_t *state, const struct wrong *wrong) {
  uint64_t place = wrongs->count;
  if (place >= WRONG_SAMPLES) place = random_next(state) % (wrongs->count + 1);
  if (place >= WRONG_SAMPLES) return;
  wrongs->samples[place] = *wrong;
  if (wrongs->sample_count < WRONG_SAMPLES) wrongs->sample_count++;
}

bool product_check_all(const struct product *p, struct wrongs *wrongs) {
  struct expected *row = xcalloc((size_t)p->n, sizeof *row);
  uint64_t state = 1;
  for (long i = 0; i < p->m; i++) {
    product_row(p, i, row);
    for (long j = 0; j < p->n; j++) {
      float got = p->c[i * p->n + j];
      if (product_right(row[j], got)) continue;
      struct wrong wrong = {i, j, row[j].value, got};
      if (wrongs->count == 0) wrongs->first = wrong;
      add_sample(wrongs, &state, &wrong);
      wrongs->rows[i] = wrongs->columns[j] = true;
      wrongs->count++;
    }
  }
  free(row);
  return wrongs->count == 0;
}

bool product_check(const struct product *p, const struct pattern *misread, uint64_t seed,
                   struct finding *finding) {
  struct wrongs wrongs;
  wrongs_init(&wrongs, p);
  bool small = (double)p->m * (double)p->n * (double)p->k <= elementwise_limit;
  bool right = small ? product_check_all(p, &wrongs) : product_check_freivalds(p, seed, &wrongs);
  if (!right) {
    char pattern[400];
    finding->explains = pattern_describe(p, &wrongs, misread, pattern, sizeof pattern);
    finding->array = "C";
    finding->unwritten = true;
    for (int i = 0; i < wrongs.sample_count; i++)
      finding->unwritten = finding->unwritten && isnan(wrongs.samples[i].got);
    snprintf(finding->text, sizeof finding->text,
             "C[%ld][%ld]: expected %.6g, got %.6g (%s%lu of %ld elements wrong%s%s)",
             wrongs.first.row, wrongs.first.column, wrongs.first.expected, shown(wrongs.first.got),
             wrongs.estimated ? "about " : "", wrongs.count, p->m * p->n, pattern[0] ? ": " : "",
             pattern);
  }
  wrongs_free(&wrongs);
  return right;
}
