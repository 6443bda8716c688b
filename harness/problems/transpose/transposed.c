/* transposed.c: values that show where they belong, and what wrong elements have in common.
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

/* What the simulator gives for memory that is unwritten or out of bounds: bytes of 0x7e. */
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

static void trace_samples(struct view *view, const struct transposed *t,
                          const struct misplaced_set *wrong) {
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

/* How an element of out may be related to the element of in that it holds. Row r, column c of out
 * belong to in[c][r]. Tiles: square parts of `tile` rows and columns. */
enum relation {
  SAME_PLACE, /* in memory */
  SAME_INDICES,
  READ_STRIDE,     /* in[c][r] read as if its rows had `rows` elements */
  WRITE_STRIDE,    /* in[i][j] written to [j][i] as if out's rows had `cols` elements */
  OTHER_WAY_ROUND, /* rows and cols exchanged: the transpose of in read as cols x rows */
  RIGHT_TILE,      /* at the wrong place in it */
  TILE_STAYS,      /* transposed inside */
  TILE_MOVES       /* to the right place, not transposed inside */
};

static bool is_related(const struct transposed *t, const struct trace *trace,
                       enum relation relation, long tile) {
  long row = trace->row, col = trace->col, i = trace->i, j = trace->j, at = row * t->rows + col;
  bool right_tile = tile && i / tile == col / tile && j / tile == row / tile;
  switch (relation) {
    case SAME_PLACE:
      return trace->from == at;
    case SAME_INDICES:
      return i == row && j == col;
    case READ_STRIDE:
      return trace->from == col * t->rows + row;
    case WRITE_STRIDE:
      return at == j * t->cols + i;
    case OTHER_WAY_ROUND:
      return trace->from == at % t->cols * t->rows + at / t->cols;
    case RIGHT_TILE:
      return right_tile;
    case TILE_MOVES:
      return right_tile && i % tile == row % tile && j % tile == col % tile;
    case TILE_STAYS:
      return i / tile == row / tile && j / tile == col / tile && i % tile == col % tile &&
             j % tile == row % tile;
  }
  return false;
}

/* Does it hold for every sample that is an element of in, at least `min` of them? */
static bool holds_for(const struct view *view, int min, enum relation relation, long tile) {
  if (view->trace_count < min) return false;
  for (int s = 0; s < view->trace_count; s++)
    if (!is_related(view->t, &view->traces[s], relation, tile)) return false;
  return true;
}

/* Does it hold for every sample? */
static bool holds(const struct view *view, enum relation relation, long tile) {
  return holds_for(view, view->wrong->sample_count, relation, tile);
}

static bool describe_filler(const struct view *view, char *text, size_t size) {
  if (view->all_nan)
    snprintf(text, size, "they are NaN, as out was before the call: never written");
  else if (view->all_zero)
    snprintf(text, size, "they are 0");
  else if (view->all_garbage)
    snprintf(text, size, "they are garbage, read where nothing was written or out of bounds");
  return view->all_nan || view->all_zero || view->all_garbage;
}

static bool describe_not_transposed(const struct view *view, char *text, size_t size) {
  bool copied = holds(view, SAME_PLACE, 0), kept = holds(view, SAME_INDICES, 0);
  if (copied)
    snprintf(text, size, "out is a copy of in, element by element: nothing is transposed");
  else if (kept)
    snprintf(text, size, "out[r][c] is in[r][c]: row and column are not exchanged");
  return copied || kept;
}

static bool describe_stride(const struct view *view, char *text, size_t size) {
  const struct transposed *t = view->t;
  if (t->rows == t->cols) return false;
  /* Written with another stride, some elements are written twice and some never. */
  bool read = holds(view, READ_STRIDE, 0),
       write = !read && holds_for(view, view->wrong->sample_count / 4 + 1, WRITE_STRIDE, 0);
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

static bool describe_other_way_round(const struct view *view, char *text, size_t size) {
  const struct transposed *t = view->t;
  if (t->rows == t->cols || !holds(view, OTHER_WAY_ROUND, 0)) return false;
  snprintf(text, size,
           "rows and cols are exchanged: in is taken to be %ld x %ld and out %ld x %ld, but in has "
           "%ld rows",
           t->cols, t->rows, t->rows, t->cols, t->rows);
  return true;
}

static bool describe_tiles(const struct view *view, char *text, size_t size) {
  for (long tile = 64; tile >= 4; tile /= 2) {
    if (tile >= view->t->rows && tile >= view->t->cols) continue;
    if (holds(view, TILE_STAYS, tile)) {
      snprintf(text, size,
               "each tile of %ld x %ld is transposed, but stays where it was: the tile of block "
               "(x, y) belongs to row x and column y of out's tiles",
               tile, tile);
      return true;
    }
    if (holds(view, TILE_MOVES, tile)) {
      snprintf(text, size,
               "each tile of %ld x %ld goes to the right place, but is not transposed inside", tile,
               tile);
      return true;
    }
  }
  return false;
}

static bool describe_shift(const struct view *view, char *text, size_t size) {
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

static bool describe_mixed(const struct view *view, char *text, size_t size) {
  if (view->trace_count < view->wrong->sample_count) return false;
  for (long tile = 64; tile >= 8; tile /= 2) {
    if (tile >= view->t->rows && tile >= view->t->cols) continue;
    if (!holds(view, RIGHT_TILE, tile)) continue;
    snprintf(text, size, "they are elements of the right tile of %ld x %ld, at the wrong place",
             tile, tile);
    return true;
  }
  snprintf(text, size, "they are elements of in, at the wrong place");
  return true;
}

/* Where they are, if they fill the end of out. */
static void describe_where(const struct view *view, char *text, size_t size) {
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
    bool (*describe)(const struct view *, char *, size_t);
    enum explains explains;
  } recognisers[] = {
      {describe_filler, EXPLAINS_NOTHING}, {describe_not_transposed, EXPLAINS_RESULTS},
      {describe_stride, EXPLAINS_STRAYS},  {describe_other_way_round, EXPLAINS_STRAYS},
      {describe_tiles, EXPLAINS_RESULTS},  {describe_shift, EXPLAINS_STRAYS},
      {describe_mixed, EXPLAINS_NOTHING},
  };
  struct view view;
  trace_samples(&view, t, wrong);
  char what[300] = "", where[100] = "";
  enum explains explains = EXPLAINS_NOTHING;
  for (size_t i = 0; i < sizeof recognisers / sizeof *recognisers; i++) {
    if (!recognisers[i].describe(&view, what, sizeof what)) continue;
    explains = recognisers[i].explains;
    break;
  }
  describe_where(&view, where, sizeof where);
  snprintf(text, size, "%s%s%s", where, where[0] && what[0] ? "; " : "", what);
  return explains;
}
