/* pattern.c: names what the wrong elements of a product have in common; see product_pattern.h.
 *
 * Each recogniser looks at the samples (and, where it must, computes other elements of the exact
 * product) and either knows the pattern, with a sentence for it, or does not. They are asked in the
 * order of the table at the end: the most specific first.
 */
#include <float.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/problems/matmul/product_pattern.h"

static const char *all_or_wrong(const struct product *p, const struct wrongs *w) {
  return w->count == (uint64_t)(p->m * p->n) ? "every element" : "every wrong element";
}

static bool is_nan(const struct product *p, const struct wrongs *w, char *text, size_t size) {
  for (int i = 0; i < w->sample_count; i++) {
    if (!isnan(w->samples[i].got)) return false;
  }
  snprintf(text, size,
           "%s is NaN, as C was before the call: never written, or added to what was there",
           all_or_wrong(p, w));
  return true;
}

static bool is_zero(const struct product *p, const struct wrongs *w, char *text, size_t size) {
  for (int i = 0; i < w->sample_count; i++) {
    if (w->samples[i].got != 0) return false;
  }
  snprintf(text, size, "%s is 0", all_or_wrong(p, w));
  return true;
}

/* got = ratio * expected */
static bool is_scaled(const struct product *p, const struct wrongs *w, char *text, size_t size) {
  if (w->sample_count < 4 || w->count * 4 < (uint64_t)(p->m * p->n)) return false;
  double above = 0, below = 0;
  for (int i = 0; i < w->sample_count; i++) {
    above += (double)w->samples[i].got * w->samples[i].expected;
    below += w->samples[i].expected * w->samples[i].expected;
  }
  double ratio = above / below;
  if (!isfinite(ratio) || fabs(ratio) < 1e-3 || fabs(ratio - 1) < 1e-3) return false;
  for (int i = 0; i < w->sample_count; i++) {
    double expected = w->samples[i].expected * ratio;
    if (!is_near(expected, w->samples[i].got, 10 * (fabs(expected) + fabs(ratio)))) return false;
  }
  snprintf(text, size, "%s is %.4g times what is expected", all_or_wrong(p, w), ratio);
  return true;
}

static bool is_transposed(const struct product *p, const struct wrongs *w, char *text,
                          size_t size) {
  if (p->m != p->n || w->sample_count < 2) return false;
  for (int i = 0; i < probe_count(w); i++) {
    const struct wrong *x = probe(w, i);
    if (!is_near(product_element(p, x->column, x->row).value, x->got, fabs(x->expected) + 1))
      return false;
  }
  snprintf(text, size, "C is transposed: what belongs to [row][column] is at [column][row]");
  return true;
}

/* C[i][j] holds the neighbour's value. */
static bool is_shifted(const struct product *p, const struct wrongs *w, char *text, size_t size) {
  if (w->sample_count < 2) return false;
  for (int down = -1; down <= 1; down++) {
    for (int right = -1; right <= 1; right++) {
      if (down == 0 && right == 0) continue;
      int looked_at = 0, fits = 0;
      for (int i = 0; i < probe_count(w); i++) {
        const struct wrong *x = probe(w, i);
        long row = x->row + down, column = x->column + right;
        if (row < 0 || row >= p->m || column < 0 || column >= p->n) continue;
        looked_at++;
        fits += is_near(product_element(p, row, column).value, x->got, fabs(x->expected) + 1);
      }
      if (looked_at < 2 || fits < looked_at) continue;
      snprintf(text, size,
               "the wrong elements hold what belongs to their neighbour [row%+d][column%+d]", down,
               right);
      return true;
    }
  }
  return false;
}

/* Is its value another element's of the tiles around it? */
static bool is_nearby(const struct product *p, const struct wrong *x) {
  enum { DOWN = 64, ACROSS = 128 };
  long top = x->row > DOWN ? x->row - DOWN : 0, left = x->column > ACROSS ? x->column - ACROSS : 0;
  for (long row = top; row < p->m && row <= x->row + DOWN; row++)
    for (long column = left; column < p->n && column <= x->column + ACROSS; column++)
      if (is_near(product_element(p, row, column).value, x->got, 1)) return true;
  return false;
}

/* A thread with several elements that stores them in other places than it has summed them for. One
 * value may be some other element's by chance, a dozen are not. */
static bool is_misplaced(const struct product *p, const struct wrongs *w, char *text, size_t size) {
  if (w->sample_count < PROBES) return false;
  for (int i = 0; i < probe_count(w); i++)
    if (!is_nearby(p, probe(w, i))) return false;
  snprintf(text, size,
           "the wrong elements hold what belongs to other places nearby: the sums are right, but a "
           "thread stores them by other indices than it adds them up by");
  return true;
}

/* Does every probe hold the sum over k in [from, to) only? */
static bool is_sum_of(const struct product *p, const struct wrongs *w, long from, long to) {
  for (int i = 0; i < probe_count(w); i++) {
    const struct wrong *x = probe(w, i);
    double sum = 0, magnitude = 0;
    for (long k = from; k < to; k++) {
      double term = (double)p->a[x->row * p->k + k] * (double)p->b[k * p->n + x->column];
      sum += term;
      magnitude += fabs(term);
    }
    if (!is_near(sum, x->got, magnitude + 0.1)) return false;
  }
  return true;
}

/* Only the first k products were added (the rest is missing), or only the last (a new start). */
static bool is_partial_sum(const struct product *p, const struct wrongs *w, char *text,
                           size_t size) {
  if (w->sample_count < 2 || p->k < 2) return false;
  const struct wrong *x = probe(w, 0);
  double exact = product_element(p, x->row, x->column).value, sum = 0;
  for (long k = 0; k < p->k; k++) {
    if (k > 0 && is_near(sum, x->got, 10) && is_sum_of(p, w, 0, k)) {
      long missing = p->k - k, tile = 0;
      for (long t = 64; t >= 4 && !tile; t /= 2) tile = p->k % t == missing ? t : 0;
      if (tile) {
        snprintf(text, size,
                 "only the first %ld of K = %ld products are added: the last, partial tile of K (K "
                 "%% %ld = %ld) is missing. Round the number of steps up: (K + %ld) / %ld",
                 k, p->k, tile, missing, tile - 1, tile);
      } else {
        snprintf(text, size, "only the first %ld of K = %ld products are added", k, p->k);
      }
      return true;
    }
    if (k > 0 && is_near(exact - sum, x->got, 10) && is_sum_of(p, w, k, p->k)) {
      snprintf(
          text, size,
          "only the last %ld of K = %ld products are added: is the sum set to 0 again on the way?",
          p->k - k, p->k);
      return true;
    }
    sum += (double)p->a[x->row * p->k + k] * (double)p->b[k * p->n + x->column];
  }
  return false;
}

/* The first of the marked, if just [first, count) is marked and something is before it; else 0. */
static long tail_start(const bool *marked, long count) {
  long first = 0;
  while (first < count && !marked[first]) first++;
  for (long i = first; i < count; i++) {
    if (!marked[i]) return 0;
  }
  return first < count ? first : 0;
}

/* Wrong elements only in the last rows or columns, or both: tiles that stick out over the edge. */
static bool is_tail(const struct product *p, const struct wrongs *w, char *text, size_t size) {
  long row = tail_start(w->rows, p->m), column = tail_start(w->columns, p->n);
  if (row > 0 && column == 0) {
    snprintf(text, size, "only the last %ld of %ld rows, from row %ld on", p->m - row, p->m, row);
  } else if (column > 0 && row == 0) {
    snprintf(text, size, "only the last %ld of %ld columns, from column %ld on", p->n - column,
             p->n, column);
  } else if (row > 0) {
    snprintf(text, size, "only in the corner from row %ld and column %ld on", row, column);
  } else {
    return false;
  }
  return true;
}

/* The union of last rows and last columns: everything before [row][column] is right. */
static bool is_border(const struct product *p, const struct wrongs *w, char *text, size_t size) {
  if (w->estimated || w->count != (uint64_t)w->sample_count) {
    if (w->sample_count < 16) return false;
  }
  for (long t = 64; t >= 4; t /= 2) {
    long row = p->m / t * t, column = p->n / t * t;
    if (row == p->m || column == p->n || row == 0 || column == 0) continue;
    bool inside = true;
    for (int i = 0; i < w->sample_count && inside; i++) {
      inside = w->samples[i].row >= row || w->samples[i].column >= column;
    }
    if (!inside) continue;
    snprintf(text, size, "only in the last, partial tiles: from row %ld or column %ld on", row,
             column);
    return true;
  }
  return false;
}

/* Every element a little off, as if inputs or sums had 11 bits or fewer. */
static bool is_low_precision(const struct product *p, const struct wrongs *w, char *text,
                             size_t size) {
  if (w->sample_count < 2) return false;
  double errors = 0, magnitudes = 0;
  for (int i = 0; i < w->sample_count; i++) {
    double error = (double)w->samples[i].got - w->samples[i].expected;
    errors += error * error;
    magnitudes +=
        (double)p->k / 9; /* the mean square of a sum of K products of values uniform in [-1, 1) */
  }
  double relative = sqrt(errors / magnitudes);
  if (!(relative < 0.02)) return false;
  snprintf(text, size, "off by about %.1g of their size: lower precision than float somewhere",
           relative);
  return true;
}

/* One row or one column, one element in so many. */
static bool is_line(const struct product *p, const struct wrongs *w, char *text, size_t size) {
  long rows = 0, columns = 0;
  for (long i = 0; i < p->m; i++) rows += w->rows[i];
  for (long j = 0; j < p->n; j++) columns += w->columns[j];
  if (rows == 1 && columns > 1 && p->m > 1) {
    snprintf(text, size, "all in row %ld", w->first.row);
  } else if (columns == 1 && rows > 1 && p->n > 1) {
    snprintf(text, size, "all in column %ld", w->first.column);
  } else {
    return false;
  }
  return true;
}

/* --- tiles --- */

static double element_or_0(const float *array, long rows, long columns, long row, long column) {
  return row < rows && column < columns ? (double)array[row * columns + column] : 0;
}

/* The sum over tiles of t x t that are right, but read with their indices exchanged. */
static double sum_of_tiles(const struct product *p, const struct wrong *x, long t, bool a_turned,
                           bool b_turned) {
  long y = x->row % t, column = x->column % t, top = x->row - y, left = x->column - column;
  double sum = 0;
  for (long start = 0; start < p->k; start += t)
    for (long k = 0; k < t; k++)
      sum += (a_turned ? element_or_0(p->a, p->m, p->k, top + k, start + y)
                       : element_or_0(p->a, p->m, p->k, x->row, start + k)) *
             (b_turned ? element_or_0(p->b, p->k, p->n, start + column, left + k)
                       : element_or_0(p->b, p->k, p->n, start + k, x->column));
  return sum;
}

enum turned pattern_turned_tiles(const struct product *p, const struct wrongs *w) {
  if (w->sample_count < 2) return TURNED_NONE;
  for (long t = 64; t >= 4; t /= 2)
    for (enum turned turned = TURNED_A; turned <= TURNED_BOTH; turned++) {
      int fits = 0;
      for (int i = 0; i < probe_count(w); i++) {
        const struct wrong *x = probe(w, i);
        double sum = sum_of_tiles(p, x, t, turned & TURNED_A, turned & TURNED_B);
        fits += is_near(sum, x->got, (double)p->k);
      }
      if (fits == probe_count(w)) return turned;
    }
  return TURNED_NONE;
}

/* --- the table --- */

enum explains pattern_describe(const struct product *p, const struct wrongs *w,
                               const struct pattern *misread, char *text, size_t size) {
  static recogniser *const where[] = {is_tail, is_line, is_border};
  static const struct pattern missing[] = {{is_nan, EXPLAINS_NOTHING},
                                           {is_zero, EXPLAINS_NOTHING},
                                           {is_partial_sum, EXPLAINS_RESULTS},
                                           {0}};
  static const struct pattern elsewhere[] = {
      {is_transposed, EXPLAINS_RESULTS},    {is_shifted, EXPLAINS_STRAYS},
      {is_misplaced, EXPLAINS_RESULTS},     {is_scaled, EXPLAINS_NOTHING},
      {is_low_precision, EXPLAINS_RESULTS}, {0}};
  const struct pattern *const what[] = {missing, misread, elsewhere};
  text[0] = '\0';
  if (w->sample_count == 0) return EXPLAINS_NOTHING;
  for (size_t i = 0; i < sizeof where / sizeof *where; i++) {
    if (where[i](p, w, text, size)) break;
  }
  char buffer[256];
  for (size_t i = 0; i < sizeof what / sizeof *what; i++) {
    for (const struct pattern *pattern = what[i]; pattern->is; pattern++) {
      if (!pattern->is(p, w, buffer, sizeof buffer)) continue;
      size_t used = strlen(text);
      snprintf(text + used, size - used, "%s%s", used ? "; " : "", buffer);
      return pattern->explains;
    }
  }
  return EXPLAINS_NOTHING;
}
