/* check.c: inputs and check of out = in transposed; in is rows x cols, row-major floats. */
#include <math.h>
#include <stdio.h>

#include "harness/problems/family.h"
#include "harness/problems/transpose/transposed.h"

extern const struct problem problem_transpose;

enum { DIM_ROWS, DIM_COLS }; /* as in problem_transpose */

static void make_inputs(const long *dims, uint64_t seed, void *const *inputs) {
  float *in = inputs[0];
  uint64_t count = (uint64_t)(dims[DIM_ROWS] * dims[DIM_COLS]);
  for (uint64_t i = 0; i < count; i++) in[i] = transposed_value(i, seed);
}

/* Adds a wrong element; the samples are a reservoir: each wrong element stands the same chance. */
static void add_wrong(struct misplaced_set *set, const struct misplaced *wrong, uint64_t *state) {
  if (set->count == 0) {
    set->first = *wrong;
    set->first_row = wrong->row;
    set->first_col = wrong->col;
  }
  if (wrong->row < set->first.row || (wrong->row == set->first.row && wrong->col < set->first.col))
    set->first = *wrong;
  if (wrong->row < set->first_row) set->first_row = wrong->row;
  if (wrong->col < set->first_col) set->first_col = wrong->col;
  set->count++;
  if (set->sample_count < MISPLACED_SAMPLES) {
    set->samples[set->sample_count++] = *wrong;
    return;
  }
  uint64_t place = random_next(state) % set->count;
  if (place < MISPLACED_SAMPLES) set->samples[place] = *wrong;
}

enum { SQUARE = 64 };

/* Finds what is wrong in a square of `out`. Its elements of `in` are brought together first:
 * columns of a large matrix may be so far apart that a cache holds few of their lines at once. */
static void find_in_square(const struct transposed *t, long top, long left,
                           struct misplaced_set *set, uint64_t *state) {
  float right[SQUARE][SQUARE];
  long rows = t->cols - top < SQUARE ? t->cols - top : SQUARE,
       cols = t->rows - left < SQUARE ? t->rows - left : SQUARE;
  for (long col = 0; col < cols; col++)
    for (long row = 0; row < rows; row++)
      right[row][col] = t->in[(left + col) * t->cols + top + row];
  for (long row = 0; row < rows; row++) {
    const float *got = t->out + (top + row) * t->rows + left;
    int differ = 0;
    for (long col = 0; col < cols; col++) differ |= !(got[col] == right[row][col]);
    for (long col = 0; differ && col < cols; col++)
      if (!(got[col] == right[row][col]))
        add_wrong(set, &(struct misplaced){top + row, left + col, got[col]}, state);
  }
}

static void find_wrong(const struct transposed *t, struct misplaced_set *set) {
  uint64_t state = 1;
  for (long top = 0; top < t->cols; top += SQUARE)
    for (long left = 0; left < t->rows; left += SQUARE) find_in_square(t, top, left, set, &state);
}

static bool check(const long *dims, const void *const *inputs, const void *const *outputs,
                  uint64_t seed, struct finding *finding) {
  (void)seed; /* nothing is drawn at random: a copy is exact or wrong */
  struct transposed t = {inputs[0], outputs[0], dims[DIM_ROWS], dims[DIM_COLS]};
  struct misplaced_set wrong = {0};
  find_wrong(&t, &wrong);
  if (wrong.count == 0) return true;
  char pattern[400];
  finding->explains = transposed_describe(&t, &wrong, pattern, sizeof pattern);
  finding->unwritten = true;
  for (int i = 0; i < wrong.sample_count; i++)
    finding->unwritten = finding->unwritten && isnan(wrong.samples[i].got);
  const struct misplaced *first = &wrong.first;
  finding->array = "out";
  snprintf(finding->text, sizeof finding->text,
           "out[%ld][%ld]: expected %.6g, which is in[%ld][%ld], got %.6g (%lu of %ld elements "
           "wrong%s%s)",
           first->row, first->col, (double)t.in[first->col * t.cols + first->row], first->col,
           first->row, shown(first->got), wrong.count, t.rows * t.cols, pattern[0] ? ": " : "",
           pattern);
  return false;
}

const struct family family_transpose = {
    .problem = &problem_transpose,
    .make_inputs = make_inputs,
    .check = check,
    .ceiling = CEILING_BYTES,
    .ceilings = {{"copy_float4", "a float4 copy"}, {"copy_memcpy", "cudaMemcpyAsync"}},
    .large = {8192, 8192},
};
