/* misread.c: how the operands of C = A B are misread; see product_pattern.h. */
#include "harness/problems/matmul/product_pattern.h"

#include <math.h>
#include <stdio.h>

/* The sum of a thread that takes these for the lengths of A's and B's rows; NaN: out of bounds. */
static double sum_with_strides(const struct product *p, const struct wrong *x, long a_stride,
                               long b_stride) {
  double sum = 0;
  if (x->row * a_stride + p->k > p->m * p->k || (p->k - 1) * b_stride + x->column >= p->k * p->n)
    return (double)NAN;
  for (long k = 0; k < p->k; k++)
    sum += (double)p->a[x->row * a_stride + k] * (double)p->b[k * b_stride + x->column];
  return sum;
}

static bool has_strides(const struct product *p, const struct wrongs *w, long a_stride,
                        long b_stride) {
  int looked_at = 0;
  for (int i = 0; i < probe_count(w); i++) {
    const struct wrong *x = probe(w, i);
    double sum = sum_with_strides(p, x, a_stride, b_stride);
    if (isnan(sum)) continue;
    if (!is_near(sum, x->got, (double)p->k)) return false;
    looked_at++;
  }
  return looked_at >= 2;
}

/* At all wrong places that were written is what belongs there if C's rows had that length. */
static bool is_stored_with_stride(const struct product *p, const struct wrongs *w, long stride) {
  int looked_at = 0;
  for (int i = 0; i < probe_count(w); i++) {
    const struct wrong *x = probe(w, i);
    long place = x->row * p->n + x->column;
    bool found = false;
    if (isnan(x->got)) continue;
    for (long row = 0; row < p->m && row * stride <= place && !found; row++)
      found = place - row * stride < p->n &&
              is_near(product_element(p, row, place - row * stride).value, x->got, (double)p->k);
    if (!found) return false;
    looked_at++;
  }
  return looked_at >= 2;
}

/* A row of A has K elements, one of B and of C has N. */
static bool is_stride(const struct product *p, const struct wrongs *w, char *text, size_t size) {
  const struct {
    char name;
    long length;
  } dims[] = {{'M', p->m}, {'N', p->n}, {'K', p->k}};
  if (w->sample_count < 2) return false;
  for (int d = 0; d < 3; d++) {
    long length = dims[d].length;
    const char *array = length != p->k && has_strides(p, w, length, p->n)       ? "A"
                        : length != p->n && has_strides(p, w, p->k, length)     ? "B"
                        : length != p->n && is_stored_with_stride(p, w, length) ? "C"
                                                                                : NULL;
    if (!array) continue;
    bool of_a = array[0] == 'A';
    snprintf(text, size,
             "%s is used as if its rows had %c = %ld elements, but they have %c = %ld: element (i, "
             "j) is "
             "%s[i * %c + j]",
             array, dims[d].name, length, of_a ? 'K' : 'N', of_a ? p->k : p->n, array,
             of_a ? 'K' : 'N');
    return true;
  }
  return false;
}

static bool is_turned_tile(const struct product *p, const struct wrongs *w, char *text,
                           size_t size) {
  static const char *const which[] = {
      [TURNED_A] = "A's tile is", [TURNED_B] = "B's tile is", [TURNED_BOTH] = "both tiles are"};
  enum turned turned = pattern_turned_tiles(p, w);
  if (!turned) return false;
  snprintf(text, size,
           "%s read with the indices exchanged: thread (x, y) needs row y of A's tile, a[y][k], "
           "and column x of B's, b[k][x]",
           which[turned]);
  return true;
}

const struct pattern matmul_misread[] = {
    {is_stride, EXPLAINS_STRAYS}, {is_turned_tile, EXPLAINS_RESULTS}, {0}};
