/* transposed.c: values that tell where they belong, and what wrong elements have in common; see
 * transposed.h.
 *
 * Each recogniser looks at the samples and either knows the pattern, with a sentence for it, or
 * does not. They are asked in the order of the table at the end.
 */
#include "harness/problems/transpose/transposed.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>

/* --- values --- */

enum { BITS = 24, MASK = (1 << BITS) - 1 };
static const uint32_t factors[2] = {0x9e3779b1, 0x85ebca6b}; /* odd, so they have inverses */

/* A bijection of 24-bit numbers, so that neighbours have unlike values; xor with a half-width shift
 * is its own inverse. */
static uint32_t mix(uint32_t x) {
  for (int i = 0; i < 2; i++) {
    x = x * factors[i] & MASK;
    x ^= x >> BITS / 2;
  }
  return x;
}

static uint32_t inverse(uint32_t factor) { /* Newton: each step doubles the bits that are right */
  uint32_t x = factor;
  for (int i = 0; i < 5; i++) x *= 2 - factor * x;
  return x;
}

static uint32_t unmix(uint32_t x) {
  for (int i = 1; i >= 0; i--) {
    x ^= x >> BITS / 2;
    x = x * inverse(factors[i]) & MASK;
  }
  return x;
}

float transposed_value(uint64_t index, uint64_t key) {
  long number = (long)mix((uint32_t)((index + key) & MASK));
  return (float)(2 * number + 1 - (1L << BITS)) * 0x1p-24f;
}

/* The 24-bit number behind a value, or -1. */
static long number_of(float value) {
  if (!(fabsf(value) < 1)) return -1;
  float scaled = value * 0x1p24f;
  long twice = (long)scaled;
  if ((float)twice != scaled || twice % 2 == 0) return -1;
  return (twice - 1 + (1L << BITS)) / 2;
}

long transposed_index(const struct transposed *t, float value) {
  long count = t->rows * t->cols, first = number_of(t->in[0]), number = number_of(value);
  if (count > 1L << BITS || first < 0 || number < 0) return -1;
  uint32_t key = unmix((uint32_t)first); /* element 0 has mix(0 + key) */
  long index = (unmix((uint32_t)number) - key) & MASK;
  return index < count ? index : -1;
}

/* --- patterns --- */

/* What the simulator gives for memory that nobody has written, or that is out of bounds: bytes of
 * 0x7e. */
static const float garbage = 0x1.fcfcfcp+125f;

/* A sample with what it was taken from. */
struct trace {
  long row, col;   /* in out */
  long from, i, j; /* the element of in, in[i][j]; from: i * cols + j */
};

struct view {
  const struct transposed *t;
  const struct misplaced_set *wrong;
  struct trace traces[MISPLACED_SAMPLES];
  int trace_count; /* samples that are elements of in */
  bool all_nan, all_zero, all_garbage;
};

static void look(struct view *view, const struct transposed *t, const struct misplaced_set *wrong) {
  *view =
      (struct view){.t = t, .wrong = wrong, .all_nan = true, .all_zero = true, .all_garbage = true};
  for (int s = 0; s < wrong->sample_count; s++) {
    const struct misplaced *sample = &wrong->samples[s];
    view->all_nan = view->all_nan && isnan(sample->got);
    view->all_zero = view->all_zero && sample->got == 0;
    view->all_garbage = view->all_garbage && sample->got == garbage;
    long from = transposed_index(t, sample->got);
    if (from < 0) continue;
    view->traces[view->trace_count++] =
        (struct trace){sample->row, sample->col, from, from / t->cols, from % t->cols};
  }
}

typedef bool relation(const struct transposed *t, const struct trace *trace, long tile);

/* Does it hold for every sample that is an element of in, at least `least` of them? */
static bool holds_for(const struct view *view, int least, relation *related, long tile) {
  if (view->trace_count < least) return false;
  for (int s = 0; s < view->trace_count; s++)
    if (!related(view->t, &view->traces[s], tile)) return false;
  return true;
}

/* Does it hold for every sample? */
static bool holds(const struct view *view, relation *related, long tile) {
  return holds_for(view, view->wrong->sample_count, related, tile);
}

static bool same_place(const struct transposed *t, const struct trace *trace, long tile) {
  (void)tile;
  return trace->from == trace->row * t->rows + trace->col;
}

static bool same_indices(const struct transposed *t, const struct trace *trace, long tile) {
  (void)t, (void)tile;
  return trace->i == trace->row && trace->j == trace->col;
}

/* in[c][r] read as if its rows had `rows` elements. */
static bool read_stride(const struct transposed *t, const struct trace *trace, long tile) {
  (void)tile;
  return trace->from == trace->col * t->rows + trace->row;
}

/* in[i][j] written to [j][i] as if out's rows had `cols` elements. */
static bool write_stride(const struct transposed *t, const struct trace *trace, long tile) {
  (void)tile;
  return trace->row * t->rows + trace->col == trace->j * t->cols + trace->i;
}

/* rows and cols exchanged throughout: the transpose of in read as a matrix of cols x rows. */
static bool other_way_round(const struct transposed *t, const struct trace *trace, long tile) {
  (void)tile;
  long at = trace->row * t->rows + trace->col;
  return trace->from == at % t->cols * t->rows + at / t->cols;
}

/* Row r, column c of out belong to in[c][r]. Tiles: square parts of `tile` rows and columns. */
static bool tiles_stay(const struct transposed *t, const struct trace *trace, long tile) {
  (void)t;
  return trace->i / tile == trace->row / tile && trace->j / tile == trace->col / tile &&
         trace->i % tile == trace->col % tile && trace->j % tile == trace->row % tile;
}

static bool tiles_move_whole(const struct transposed *t, const struct trace *trace, long tile) {
  (void)t;
  return trace->i / tile == trace->col / tile && trace->j / tile == trace->row / tile &&
         trace->i % tile == trace->row % tile && trace->j % tile == trace->col % tile;
}

static bool in_right_tile(const struct transposed *t, const struct trace *trace, long tile) {
  (void)t;
  return trace->i / tile == trace->col / tile && trace->j / tile == trace->row / tile;
}

static bool say_filler(const struct view *view, char *text, size_t size) {
  if (view->all_nan)
    snprintf(text, size, "they are NaN, as out was before the call: never written");
  else if (view->all_zero)
    snprintf(text, size, "they are 0");
  else if (view->all_garbage)
    snprintf(text, size, "they are garbage, read where nothing was written or out of bounds");
  return view->all_nan || view->all_zero || view->all_garbage;
}

static bool say_not_transposed(const struct view *view, char *text, size_t size) {
  bool copied = holds(view, same_place, 0), kept = holds(view, same_indices, 0);
  if (copied)
    snprintf(text, size, "out is a copy of in, element by element: nothing is transposed");
  else if (kept)
    snprintf(text, size, "out[r][c] is in[r][c]: row and column are not exchanged");
  return copied || kept;
}

static bool say_stride(const struct view *view, char *text, size_t size) {
  const struct transposed *t = view->t;
  if (t->rows == t->cols) return false;
  /* Written with another stride, some elements are written twice and some never. */
  bool read = holds(view, read_stride, 0),
       write = !read && holds_for(view, view->wrong->sample_count / 4 + 1, write_stride, 0);
  if (read)
    snprintf(text, size,
             "in is read as if its rows had %ld elements, but in[i][j] is in[i * cols + j], with "
             "%ld columns",
             t->rows, t->cols);
  else if (write)
    snprintf(text, size,
             "out is written as if its rows had %ld elements, but out[j][i] is out[j * rows + i], "
             "with %ld columns",
             t->cols, t->rows);
  return read || write;
}

static bool say_other_way_round(const struct view *view, char *text, size_t size) {
  const struct transposed *t = view->t;
  if (t->rows == t->cols || !holds(view, other_way_round, 0)) return false;
  snprintf(text, size,
           "rows and cols are exchanged: in is taken to be %ld x %ld and out %ld x %ld, but in has "
           "%ld rows",
           t->cols, t->rows, t->rows, t->cols, t->rows);
  return true;
}

static bool say_tiles(const struct view *view, char *text, size_t size) {
  for (long tile = 64; tile >= 4; tile /= 2) {
    if (tile >= view->t->rows && tile >= view->t->cols) continue;
    if (holds(view, tiles_stay, tile)) {
      snprintf(text, size,
               "each tile of %ld x %ld is transposed, but stays where it was: the tile of block "
               "(x, y) belongs to row x and column y of out's tiles",
               tile, tile);
      return true;
    }
    if (holds(view, tiles_move_whole, tile)) {
      snprintf(text, size,
               "each tile of %ld x %ld goes to the right place, but is not transposed inside", tile,
               tile);
      return true;
    }
  }
  return false;
}

static bool say_shift(const struct view *view, char *text, size_t size) {
  if (view->trace_count < view->wrong->sample_count) return false;
  long down = view->traces[0].i - view->traces[0].col,
       right = view->traces[0].j - view->traces[0].row;
  for (int s = 1; s < view->trace_count; s++) {
    const struct trace *trace = &view->traces[s];
    if (trace->i - trace->col != down || trace->j - trace->row != right) return false;
  }
  snprintf(text, size,
           "they are elements of in from %ld row%s %s and %ld column%s %s of the right one",
           down < 0 ? -down : down, down == 1 || down == -1 ? "" : "s",
           down < 0 ? "above" : "below", right < 0 ? -right : right,
           right == 1 || right == -1 ? "" : "s", right < 0 ? "left" : "right");
  return true;
}

static bool say_mixed(const struct view *view, char *text, size_t size) {
  if (view->trace_count < view->wrong->sample_count) return false;
  for (long tile = 64; tile >= 8; tile /= 2) {
    if (tile >= view->t->rows && tile >= view->t->cols) continue;
    if (!holds(view, in_right_tile, tile)) continue;
    snprintf(text, size, "they are elements of the right tile of %ld x %ld, at the wrong place",
             tile, tile);
    return true;
  }
  snprintf(text, size, "they are elements of in, at the wrong place");
  return true;
}

/* Where they are, if they fill the end of out. */
static void say_where(const struct view *view, char *text, size_t size) {
  const struct transposed *t = view->t;
  const struct misplaced_set *w = view->wrong;
  if (w->count == 1) return;
  if (w->first_row > 0 && w->count == (uint64_t)((t->cols - w->first_row) * t->rows))
    snprintf(text, size, "all rows of out from %ld on", w->first_row);
  else if (w->first_col > 0 && w->count == (uint64_t)((t->rows - w->first_col) * t->cols))
    snprintf(text, size, "all columns of out from %ld on", w->first_col);
  else if (w->first_row > 0)
    snprintf(text, size, "none in the rows of out before %ld", w->first_row);
  else if (w->first_col > 0)
    snprintf(text, size, "none in the columns of out before %ld", w->first_col);
}

enum explains transposed_describe(const struct transposed *t, const struct misplaced_set *wrong,
                                  char *text, size_t size) {
  static const struct {
    bool (*say)(const struct view *, char *, size_t);
    enum explains explains;
  } recognisers[] = {
      {say_filler, EXPLAINS_NOTHING}, {say_not_transposed, EXPLAINS_RESULTS},
      {say_stride, EXPLAINS_STRAYS},  {say_other_way_round, EXPLAINS_STRAYS},
      {say_tiles, EXPLAINS_RESULTS},  {say_shift, EXPLAINS_STRAYS},
      {say_mixed, EXPLAINS_NOTHING},
  };
  struct view view;
  look(&view, t, wrong);
  char what[300] = "", where[100] = "";
  enum explains explains = EXPLAINS_NOTHING;
  for (size_t i = 0; i < sizeof recognisers / sizeof *recognisers; i++) {
    if (!recognisers[i].say(&view, what, sizeof what)) continue;
    explains = recognisers[i].explains;
    break;
  }
  say_where(&view, where, sizeof where);
  snprintf(text, size, "%s%s%s", where, where[0] && what[0] ? "; " : "", what);
  return explains;
}
