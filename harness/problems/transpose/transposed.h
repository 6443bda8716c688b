/* transposed.h: one transposed matrix to be checked, and which elements of it are wrong.
 *
 * in is rows x cols, out must be cols x rows, row-major floats; out came from the submission and
 * may hold anything. Every element of in has a value of its own (up to 2^24 of them), so a wrong
 * element of out shows where it was taken from.
 */
#ifndef KIT_TRANSPOSED_H
#define KIT_TRANSPOSED_H

#include <stddef.h>
#include <stdint.h>

#include "harness/problems/family.h"

struct transposed {
  const float *in, *out;
  long rows, cols;
};

/* A wrong element of out. */
struct misplaced {
  long row, col; /* in out */
  float got;
};

enum { MISPLACED_SAMPLES = 256 };

struct misplaced_set {
  uint64_t count;
  long first_row, first_col;                   /* the first row and the first column of any */
  struct misplaced first;                      /* the first, row by row */
  struct misplaced samples[MISPLACED_SAMPLES]; /* spread over all of them */
  int sample_count;
};

/* The value of element `index` (row * cols + column) of a matrix with this key: an odd multiple of
 * 2^-24 in (-1, 1), never 0. Any key will do; its lower 24 bits count. */
float transposed_value(uint64_t index, uint64_t key);
/* The element of in that has this value, or -1: none has, or in has more than 2^24. */
long transposed_index(const struct transposed *t, float value);

/* Says in words what the wrong elements have in common (an empty string if nothing is recognised),
 * and returns what these words explain. */
enum explains transposed_describe(const struct transposed *t, const struct misplaced_set *wrong,
                                  char *text, size_t size);

#endif
