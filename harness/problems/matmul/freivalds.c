/* freivalds.c: checks a large product in O(M N + M K + K N) instead of O(M N K); see product.h.
 *
 * Freivalds' test (R. Freivalds, Probabilistic machines can use less running time, IFIP 1977): for
 * a random vector r, C r is compared with A (B r). We compare row by row, so the test also shows
 * which rows are wrong, and do the same from the left, r C with (r A) B, for the columns. The
 * entries of r are uniform in +-[1, 2): a row whose only error is e has a residual of at least |e|;
 * with more errors, the largest e, the residual falls under the threshold t with probability at
 * most t / |e| (the density of r_j is at most 1/2), with two vectors (t/|e|)^2, over fresh random
 * numbers at every grading.
 *
 * The threshold: honest errors are about 0.5 u S an element with random signs (product.c), so a
 * residual is about 0.5 u sqrt(sum_j (S_ij r_j)^2), S_ij nearly the same for all j. A row is
 * suspect beyond 8 times that. Suspect rows are then computed element by element, and only what is
 * wrong there counts. At 1000^3, t is about 0.003 where elements are about 10.
 *
 * Small errors spread over many elements add up like honest errors and could hide below t, so some
 * rows and columns drawn at random are compared element by element in any case.
 */
#include <math.h>
#include <stdlib.h>

#include "grader/base/text.h"
#include "harness/problems/family.h"
#include "harness/problems/matmul/product.h"

enum { VECTORS = 2, SAMPLE_ROWS = 4, SAMPLE_COLUMNS = 4, SUSPECT_ROWS = 24 };

static void random_vector(double *r, long n, uint64_t *state) {
  for (long i = 0; i < n; i++) {
    uint64_t z = random_next(state);
    double magnitude = 1 + (double)(z >> 11) * 0x1p-53;
    r[i] = z & 1 ? magnitude : -magnitude;
  }
}

/* y = X v, or |X| |v|; X is rows x columns. */
static void times_vector(const float *x, long rows, long columns, const double *v, double *y,
                         bool absolute) {
  for (long i = 0; i < rows; i++) {
    const float *row = x + i * columns;
    double sum[4] = {0};
    long j = 0;
    for (; j + 4 <= columns; j += 4) {
      for (int s = 0; s < 4; s++) {
        double term = (double)row[j + s] * v[j + s];
        sum[s] += absolute ? fabs(term) : term;
      }
    }
    for (; j < columns; j++)
      sum[0] += absolute ? fabs((double)row[j] * v[j]) : (double)row[j] * v[j];
    y[i] = sum[0] + sum[1] + sum[2] + sum[3];
  }
}

/* y = v X, or |v| |X|; X is rows x columns. */
static void vector_times(const double *v, const float *x, long rows, long columns, double *y,
                         bool absolute) {
  for (long j = 0; j < columns; j++) y[j] = 0;
  for (long i = 0; i < rows; i++) {
    const float *row = x + i * columns;
    if (absolute) {
      for (long j = 0; j < columns; j++) y[j] += fabs(v[i] * (double)row[j]);
    } else {
      for (long j = 0; j < columns; j++) y[j] += v[i] * (double)row[j];
    }
  }
}

/* Not <=: a residual of NaN is suspect too. */
static bool is_suspect(double residual, double magnitude, long terms) {
  return !(fabs(residual) <= 4 * 0x1p-24 * magnitude / sqrt((double)terms));
}

/* Marks the rows and columns whose residual is too large. */
static void find_suspects(const struct product *p, uint64_t *state, bool *rows, bool *columns) {
  long longest = p->m > p->n ? p->m : p->n;
  if (p->k > longest) longest = p->k;
  double *r = xcalloc((size_t)longest, sizeof *r), *t = xcalloc((size_t)longest, sizeof *t);
  double *got = xcalloc((size_t)longest, sizeof *got),
         *expected = xcalloc((size_t)longest, sizeof *expected);
  double *magnitude = xcalloc((size_t)longest, sizeof *magnitude);
  for (int v = 0; v < VECTORS; v++) {
    random_vector(r, p->n, state);
    times_vector(p->b, p->k, p->n, r, t, true);
    times_vector(p->a, p->m, p->k, t, magnitude, true);
    times_vector(p->b, p->k, p->n, r, t, false);
    times_vector(p->a, p->m, p->k, t, expected, false);
    times_vector(p->c, p->m, p->n, r, got, false);
    for (long i = 0; i < p->m; i++) rows[i] |= is_suspect(got[i] - expected[i], magnitude[i], p->n);

    random_vector(r, p->m, state);
    vector_times(r, p->a, p->m, p->k, t, true);
    vector_times(t, p->b, p->k, p->n, magnitude, true);
    vector_times(r, p->a, p->m, p->k, t, false);
    vector_times(t, p->b, p->k, p->n, expected, false);
    vector_times(r, p->c, p->m, p->n, got, false);
    for (long j = 0; j < p->n; j++)
      columns[j] |= is_suspect(got[j] - expected[j], magnitude[j], p->m);
  }
  free(r);
  free(t);
  free(got);
  free(expected);
  free(magnitude);
}

/* Compares a row element by element: how many are wrong, which is the first, a few samples. */
static void check_row(const struct product *p, long row, struct expected *scratch,
                      struct wrongs *wrongs) {
  product_row(p, row, scratch);
  uint64_t count = 0;
  int room = wrongs->sample_count + WRONG_SAMPLES / (SUSPECT_ROWS + 1);
  long stride = p->n / 8 + 1, next = 0;
  for (long j = 0; j < p->n; j++) {
    float got = p->c[row * p->n + j];
    if (product_right(scratch[j], got)) continue;
    struct wrong wrong = {row, j, scratch[j].value, got};
    if (wrongs->count == 0 && count == 0) wrongs->first = wrong;
    if (j >= next && wrongs->sample_count < room && wrongs->sample_count < WRONG_SAMPLES) {
      wrongs->samples[wrongs->sample_count++] = wrong;
      next = j + stride;
    }
    wrongs->columns[j] = true;
    count++;
  }
  if (count > 0) wrongs->rows[row] = true;
  wrongs->count += count;
}

/* Compares some columns and rows element by element, the suspect columns first: marks the rows
 * where something is wrong. */
static void check_samples(const struct product *p, uint64_t *state, bool *rows,
                          const bool *columns) {
  struct expected *scratch = xcalloc((size_t)(p->n > p->m ? p->n : p->m), sizeof *scratch);
  float *copy = xcalloc((size_t)p->k, sizeof *copy);
  long suspect = 0;
  for (int s = 0; s < 2 * SAMPLE_COLUMNS; s++) {
    long j = (long)(random_next(state) % (uint64_t)p->n);
    if (s < SAMPLE_COLUMNS) {
      while (suspect < p->n && !columns[suspect]) suspect++;
      if (suspect == p->n) continue;
      j = suspect++;
    }
    product_column(p, j, scratch, copy);
    for (long i = 0; i < p->m; i++) rows[i] |= !product_right(scratch[i], p->c[i * p->n + j]);
  }
  for (int s = 0; s < SAMPLE_ROWS; s++) {
    long i = (long)(random_next(state) % (uint64_t)p->m);
    product_row(p, i, scratch);
    for (long j = 0; j < p->n; j++) rows[i] |= !product_right(scratch[j], p->c[i * p->n + j]);
  }
  free(scratch);
  free(copy);
}

bool product_check_freivalds(const struct product *p, uint64_t seed, struct wrongs *wrongs) {
  uint64_t state = seed;
  bool *rows = xcalloc((size_t)p->m, sizeof *rows),
       *columns = xcalloc((size_t)p->n, sizeof *columns);
  struct expected *scratch = xcalloc((size_t)p->n, sizeof *scratch);
  find_suspects(p, &state, rows, columns);
  check_samples(p, &state, rows, columns);

  /* The suspect rows up to the first that is wrong, then others spread over the rest. */
  long suspects = 0, number = 0, checked = 0;
  for (long i = 0; i < p->m; i++) suspects += rows[i];
  long stride = suspects / SUSPECT_ROWS + 1;
  for (long i = 0; i < p->m; i++) {
    if (!rows[i]) continue;
    if (number++ % stride != 0 && wrongs->count > 0) {
      wrongs->rows[i] = true;
      continue;
    }
    checked++;
    check_row(p, i, scratch, wrongs);
  }
  if (wrongs->count > 0 && checked < suspects) {
    wrongs->estimated = true;
    wrongs->count = (uint64_t)((double)wrongs->count * (double)suspects / (double)checked);
    for (long j = 0; j < p->n; j++) wrongs->columns[j] |= columns[j];
  }
  free(rows);
  free(columns);
  free(scratch);
  return wrongs->count == 0;
}
