/* lost.c: finds out which elements a wrong sum lacks.
 *
 * Mistakes leave out, or count twice, what a grid, a block or a warp has in common: the elements
 * after the last full block, all blocks but one, the second half of each block. So the sums of such
 * parts are tried: if one is within rounding of what is there, that is it. That one fits by chance
 * has a probability of its allowed error over the spread of such sums, less than 1e-5 up to a
 * thousand elements, and some hundreds are tried. They are asked for in the order of the table at
 * the end, the plainest first. */
#include "harness/problems/summation/lost.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"

enum { SMALLEST_BLOCK = 32, LARGEST_BLOCK = 4096, ANY_END = 64, MOST_BLOCKS = 1 << 16 };

struct view {
  const float *x;
  long n;
  double got, sum;
  double *before; /* [i]: the sum of the first i elements */
};

/* Of the elements from `first` up to `end`. */
static double part(const struct view *v, long first, long end) {
  return v->before[end] - v->before[first];
}

/* Is what is there the sum `want` of so many elements? An eighth of what is allowed is twice the
 * usual error of one element after the other, and far more than a tree's. */
static double near(double want, long count) {
  return summation_allowed(count) / 8 + 4 * 0x1p-24 * fabs(want);
}

static bool is_sum(const struct view *v, double want, long count) {
  return fabs(v->got - want) <= near(want, count);
}

static bool is_no_number(const struct view *v, char *text, size_t size) {
  static const unsigned char before[sizeof(float)] = {0xff, 0xff, 0xff, 0xff};
  float got = (float)v->got;
  if (!isnan(got)) return false;
  bool untouched = memcmp(&got, before, sizeof before) == 0;
  snprintf(text, size, "%s",
           untouched ? "nothing was written there"
                     : "something was added to what was there before (set it to 0 first), or "
                       "to what a shuffle read from a lane that takes no part");
  return true;
}

static bool is_multiple(const struct view *v, char *text, size_t size) {
  for (long times = 2; times <= 1024; times++) {
    /* Multiples lie |sum| apart: beside that, an error must be little. */
    if (near((double)times * v->sum, times * v->n) > fabs(v->sum) / 1000) return false;
    if (!is_sum(v, (double)times * v->sum, times * v->n)) continue;
    snprintf(text, size, "every element is counted %ld times", times);
    return true;
  }
  return false;
}

static void write_end(const char *which, long count, const char *one, const char *more, char *text,
                      size_t size) {
  if (count == 1)
    snprintf(text, size, "the %s element %s", which, one);
  else
    snprintf(text, size, "the %s %ld elements %s", which, count, more);
}

/* The largest block of which `count` is the rest; 0: of none. */
static long block_with_rest(long n, long count) {
  for (long block = LARGEST_BLOCK; block >= SMALLEST_BLOCK; block /= 2)
    if (n % block == count) return block;
  return 0;
}

/* A few at one end, or all after the last full block. */
static bool is_end(const struct view *v, char *text, size_t size) {
  for (long count = 1; count < LARGEST_BLOCK && count < v->n; count++) {
    long block = block_with_rest(v->n, count), left = v->n - count;
    if (count > ANY_END && !block) continue;
    /* Of many elements rounding is as large as such ends differ: then one of them always fits. */
    double spread = 0.75 * sqrt((double)count);
    if (near(v->sum, v->n) > spread / (block ? 1e3 : 1e4)) continue;
    double first = part(v, 0, count), last = part(v, left, v->n);
    if (is_sum(v, v->sum - last, left)) {
      write_end("last", count, "is missing", "are missing", text, size);
      size_t used = strlen(text);
      if (block) snprintf(text + used, size - used, ": n is no multiple of %ld", block);
    } else if (is_sum(v, v->sum - first, left)) {
      write_end("first", count, "is missing", "are missing", text, size);
    } else if (is_sum(v, v->sum + last, v->n + count)) {
      write_end("last", count, "is counted twice", "are counted twice", text, size);
    } else if (is_sum(v, v->sum + first, v->n + count)) {
      write_end("first", count, "is counted twice", "are counted twice", text, size);
    } else {
      continue;
    }
    return true;
  }
  return false;
}

/* One block of elements and no other, of any block size: smaller ones first. */
static bool is_block(const struct view *v, char *text, size_t size) {
  for (long block = 1; block < v->n; block *= 2) {
    if ((block > 1 && block < SMALLEST_BLOCK) || v->n / block > MOST_BLOCKS) continue;
    for (long first = 0; first < v->n; first += block) {
      long end = first + block < v->n ? first + block : v->n;
      if (!is_sum(v, part(v, first, end), end - first)) continue;
      if (block == 1)
        snprintf(text, size, "it is element %ld alone", first);
      else if (first == 0)
        snprintf(text, size, "it is the sum of the first %ld elements alone", end);
      else
        snprintf(text, size, "it is the sum of elements %ld to %ld alone", first, end - 1);
      return true;
    }
  }
  return false;
}

/* Of every `block` elements only some at its beginning, or only the others: the rest of a warp or
 * of a block, of lanes that never met. */
static bool is_share(const struct view *v, char *text, size_t size) {
  autofree double *residue = xcalloc(LARGEST_BLOCK, sizeof *residue);
  for (long i = 0; i < v->n; i++) residue[i % LARGEST_BLOCK] += (double)v->x[i];
  for (long block = LARGEST_BLOCK; block >= 2; block /= 2) {
    const long shares[] = {block / 2, 1, SMALLEST_BLOCK, block - 1, block - SMALLEST_BLOCK};
    for (size_t s = 0; s < sizeof shares / sizeof *shares && block <= v->n; s++) {
      long share = shares[s], count = v->n / block * share;
      if (share < 1 || share >= block) continue;
      double sum = 0;
      for (long i = 0; i < share; i++) sum += residue[i];
      bool is_first = is_sum(v, sum, count), is_rest = is_sum(v, v->sum - sum, v->n - count);
      if (!is_first && !is_rest) continue;
      if (share == 1 || (is_rest && block - share == 1))
        snprintf(text, size, "of every %ld elements only the first is %s", block,
                 is_first ? "counted" : "missing");
      else
        snprintf(text, size, "of every %ld elements only the %s %ld are counted", block,
                 is_first ? "first" : "last", is_first ? share : block - share);
      return true;
    }
    for (long i = 0; i < block / 2; i++) residue[i] += residue[i + block / 2];
  }
  return false;
}

bool summation_describe(const float *x, long n, float got, char *text, size_t size) {
  static bool (*const patterns[])(const struct view *, char *, size_t) = {
      is_no_number, is_multiple, is_end, is_block, is_share};
  autofree double *before = xcalloc((size_t)n + 1, sizeof *before);
  for (long i = 0; i < n; i++) before[i + 1] = before[i] + (double)x[i];
  struct view view = {x, n, (double)got, before[n], before};
  *text = '\0';
  for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++)
    if (patterns[i](&view, text, size)) return true;
  return false;
}
