/* coverage.c: finds the pattern of elements that no thread wrote.
 *
 * A grid of blocks covers the first rows and columns, as many as it has threads (or tiles: a thread
 * may write several elements). So an output of which exactly the first R rows and C columns were
 * written, R and C being multiples of the grid's size, came from a grid that is too small. Blocks
 * that all store as many elements as a block has threads, and together no others, do not use their
 * index. Nothing is claimed where that does not add up. */
#include "grader/run/run.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"

/* What was written of a matrix or a vector. */
struct written {
  const char *name;
  size_t element_size;
  bool vector;                  /* one row, whose elements are the columns */
  long rows, columns;           /* of the matrix */
  bool *row, *column;           /* those with an element that was written */
  long row_count, column_count; /* how many these are */
  long count;                   /* of elements */
};

static bool is_written(const float *element) {
  static const unsigned char before[sizeof *element] = {0xff, 0xff, 0xff, 0xff};
  return memcmp(element, before, sizeof before) != 0;
}

static void look(struct written *w, const float *output) {
  w->row = xcalloc((size_t)w->rows, sizeof *w->row);
  w->column = xcalloc((size_t)w->columns, sizeof *w->column);
  for (long i = 0; i < w->rows; i++)
    for (long j = 0; j < w->columns; j++)
      if (is_written(&output[i * w->columns + j])) {
        w->row[i] = w->column[j] = true;
        w->count++;
      }
  for (long i = 0; i < w->rows; i++) w->row_count += w->row[i];
  for (long j = 0; j < w->columns; j++) w->column_count += w->column[j];
}

/* Are the marked ones 0, step, 2 step, ... to the end? */
static bool is_every(const bool *marked, long count, long step) {
  for (long i = 0; i < count; i++)
    if (marked[i] != (i % step == 0)) return false;
  return true;
}

static bool is_first(const bool *marked, long first) {
  for (long i = 0; i < first; i++)
    if (!marked[i]) return false;
  return true;
}

/* The sizes come from a report, which may hold anything. */
static bool is_launch(const struct launch_record *launch) {
  bool good = true;
  for (int i = 0; i < 2; i++)
    good = good && launch->grid[i] - 1 < INT32_MAX && launch->block[i] - 1 < INT32_MAX;
  return good;
}

/* The set's launch, if it is the only one. */
static const struct launch_record *only_launch(const struct report *report, int set, int *count) {
  const struct launch_record *launch = NULL;
  *count = 0;
  for (int i = 0; i < report->launch_count; i++)
    if (report->launches[i].set == set) {
      launch = &report->launches[i];
      ++*count;
    }
  return *count == 1 && is_launch(launch) ? launch : NULL;
}

static void add_extent(struct text *words, const char *what, long written, long all) {
  if (written == 1)
    text_add(words, "%s 0 of %ld", what, all);
  else
    text_add(words, "%ss 0 to %ld of %ld", what, written - 1, all);
}

static void add_rest(struct text *words, const struct written *w) {
  if (w->count == w->columns - 1)
    text_add(words, "element %ld of %s was not written", w->count, w->name);
  else
    text_add(words, "elements %ld to %ld of %s were not written", w->count, w->columns - 1,
             w->name);
}

/* Elements that each of `blocks` blocks of `threads` threads covers, if together they cover exactly
 * `extent`, else 0. A single thread says nothing unless it
 * covers one. */
static long share(long extent, uint64_t blocks, uint64_t threads) {
  long each = extent / (long)blocks;
  if (blocks == 1 && threads == 1 && extent > 1) return 0;
  return extent % (long)blocks == 0 && each > 0 && each % (long)threads == 0 ? each : 0;
}

/* The grid's dimensions (0: x, 1: y) that run along rows and columns, as far as what was written
 * tells. False: it does not. The lab's own order, x along columns, is tried first, and one element
 * a thread before several. */
static bool find_axes(const struct written *w, const struct launch_record *launch,
                      int *along_columns) {
  bool short_rows = w->row_count < w->rows, short_columns = w->column_count < w->columns;
  for (int exact = 1; exact >= 0; exact--)
    for (int x = 0; x < (w->vector ? 1 : 2); x++) {
      int y = !x;
      long columns = share(w->column_count, launch->grid[x], launch->block[x]),
           rows = share(w->row_count, launch->grid[y], launch->block[y]);
      if (exact && columns != (long)launch->block[x]) columns = 0;
      if (exact && rows != (long)launch->block[y]) rows = 0;
      if ((short_columns && !columns) || (short_rows && !rows)) continue;
      *along_columns = x;
      return true;
    }
  return false;
}

static const char *plural(long count) { return count == 1 ? "" : "s"; }

/* The line of the launch's only stores; 0: there are none, or several. */
static int store_line(const struct launch_record *launch) {
  int line = 0;
  for (int i = 0; i < launch->line_count; i++) {
    if (!launch->lines[i].counters.value[COUNTER_global_store_bytes]) continue;
    if (line) return 0;
    line = launch->lines[i].line;
  }
  return line;
}

static void add_store(struct text *words, const struct launch_record *launch) {
  text_add(words, "the store");
  if (store_line(launch)) text_add(words, " (line %d)", store_line(launch));
}

/* Did every block along the short dimensions write the same elements, as many as it has threads?
 * Then each was stored once by each of these blocks. On a GPU nobody counts stores. */
static bool add_same_for_all(struct text *words, const struct written *w,
                             const struct launch_record *launch) {
  bool is_short[] = {w->column_count < w->columns, w->row_count < w->rows};
  long written[] = {w->column_count, w->row_count};
  uint64_t times = launch->launches ? launch->launches : 1;
  const char *which = is_short[0] && is_short[1] ? "x and blockIdx.y" : is_short[0] ? "x" : "y";
  for (int a = 0; a < 2; a++) {
    if (!is_short[a]) continue;
    if (launch->grid[a] < 2 || written[a] != (long)launch->block[a]) return false;
    times *= launch->grid[a];
  }
  if (launch->counters.value[COUNTER_global_store_bytes] !=
      (uint64_t)w->count * times * w->element_size)
    return false;
  text_add(words, ": blocks that differ in blockIdx.%s write the same elements. Does the index of ",
           which);
  add_store(words, launch);
  text_add(words, " lack blockIdx.%s?", which);
  return true;
}

/* A vector of which more is written where there are more blocks, in a grid of one dimension. */
static void add_vector_grid(struct text *words, const struct written *w,
                            const struct launch_record *launch) {
  long blocks = (long)launch->grid[0], each = w->count / blocks;
  text_add(words, ": the grid (line %d) is %ld block%s, and it takes %ld. Round up: ", launch->line,
           blocks, plural(blocks), (w->columns + each - 1) / each);
  if (each == 1)
    text_add(words, "%ld blocks.", w->columns);
  else
    text_add(words, "(%ld + %ld) / %ld blocks.", w->columns, each - 1, each);
}

/* A vector whose last elements are missing though there is a thread for each. Where fewer threads
 * store than there are, a condition keeps them from it; else, and on a GPU, it may be the index. */
static void add_guard(struct text *words, const struct written *w,
                      const struct launch_record *launch) {
  bool once =
      launch->counters.value[COUNTER_global_store_bytes] == (uint64_t)w->count * w->element_size;
  text_add(words, ". The grid (line %d) has enough threads, %ld: look at the condition %sof ",
           launch->line, (long)(launch->grid[0] * launch->block[0]),
           once ? "" : "and at the index ");
  add_store(words, launch);
  text_add(words, ".");
}

/* What the grid is, what it should be, and how to get there. x: its dimension along columns. */
static void add_grid(struct text *words, const struct written *w,
                     const struct launch_record *launch, int x) {
  const long grid[] = {(long)launch->grid[0], (long)launch->grid[1]},
             block[] = {(long)launch->block[0], (long)launch->block[1]};
  long all[2], each[2], need[2]; /* elements, those that a block covers, and blocks that it takes */
  all[x] = w->columns;
  all[!x] = w->rows;
  each[x] = w->column_count < w->columns ? w->column_count / grid[x] : 0;
  each[!x] = w->row_count < w->rows ? w->row_count / grid[!x] : 0;
  for (int a = 0; a < 2; a++) {
    /* Where all are covered nobody knows: as in the other dimension, if that adds up (a square). */
    if (!each[a])
      each[a] = each[!a] % block[a] == 0 && each[!a] * grid[a] >= all[a] ? each[!a] : block[a];
    need[a] = (all[a] + each[a] - 1) / each[a];
  }
  text_add(words, ": the grid (line %d) is %ld x %ld blocks, and it takes %ld x %ld", launch->line,
           grid[0], grid[1], need[0], need[1]);
  if (grid[1] >= need[0] && grid[0] >= need[1]) {
    text_add(
        words,
        ", as the kernel goes along the columns of %s with blockIdx.%c: exchange x and y in one "
        "of the two.",
        w->name, "xy"[x]);
    return;
  }
  const char *between = ". Round up: ";
  for (int a = 0; a < 2; a++) {
    if (grid[a] >= need[a]) continue;
    if (each[a] == 1)
      text_add(words, "%s%ld blocks in %c", between, all[a], "xy"[a]);
    else
      text_add(words, "%s(%ld + %ld) / %ld blocks in %c", between, all[a], each[a] - 1, each[a],
               "xy"[a]);
    between = ", ";
  }
  text_add(words, ".");
}

/* Only every so many rows or columns, as a block has threads: the place in the block is missing. */
static bool add_steps(struct text *words, const struct written *w,
                      const struct launch_record *launch) {
  for (int axis = 0; axis < (w->vector ? 1 : 2); axis++) {
    long step = (long)launch->block[axis];
    bool columns = w->row_count == w->rows && is_every(w->column, w->columns, step),
         rows = w->column_count == w->columns && is_every(w->row, w->rows, step);
    if (step < 2 || columns == rows) continue;
    const char *what = w->vector ? "element" : columns ? "column" : "row";
    text_add(words,
             "only every %ldth %s was written, and a block (line %d) has %ld threads in %c: is "
             "threadIdx.%c missing in the index of the %s?",
             step, what, launch->line, step, "xy"[axis], "xy"[axis], what);
    return true;
  }
  return false;
}

/* Exactly the first rows and columns were written, or the first elements: of what, and why. */
static void add_first(struct text *words, const struct written *w,
                      const struct launch_record *launch) {
  int along_columns;
  bool short_rows = w->row_count < w->rows, short_columns = w->column_count < w->columns;
  struct text why = {0};
  bool flat = launch->grid[1] == 1 && launch->block[1] == 1;
  if (add_same_for_all(&why, w, launch))
    ;
  else if (w->vector && !flat)
    ;
  else if (w->vector && w->columns <= (long)(launch->grid[0] * launch->block[0]))
    add_guard(&why, w, launch);
  else if (find_axes(w, launch, &along_columns))
    w->vector ? add_vector_grid(&why, w, launch) : add_grid(&why, w, launch, along_columns);
  if (why.length && w->vector) {
    add_rest(words, w);
  } else if (why.length) {
    text_add(words, "%s was written only in ", w->name);
    if (short_rows) add_extent(words, "row", w->row_count, w->rows);
    if (short_rows && short_columns) text_add(words, " and ");
    if (short_columns) add_extent(words, "column", w->column_count, w->columns);
  }
  if (why.length) text_add(words, "%s", why.data);
  text_free(&why);
}

char *coverage_describe(const struct problem *problem, const long *dims,
                        const struct report *report, int set) {
  int output = problem->input_count;
  struct written w = {.name = problem->arrays[output].name,
                      .element_size = problem->arrays[output].element_size,
                      .vector = problem->arrays[output].rows == LENGTH_1,
                      .rows = (long)problem_rows(problem, output, dims),
                      .columns = (long)problem_columns(problem, output, dims)};
  struct text words = {0};
  int launches;
  const struct launch_record *launch = only_launch(report, set, &launches);
  look(&w, report->sets[set].outputs[0]);
  bool corner = w.count > 0 && w.count == w.row_count * w.column_count;
  if (w.count == 0 && launches == 0)
    text_add(&words,
             "no kernel was launched, and %s was not written. Launch one: "
             "kernel<<<grid, block>>>(...).",
             w.name);
  else if (w.count == 0 && launch)
    text_add(&words, "%s was not written: the kernel launched in line %d %s.", w.name, launch->line,
             launch->counters.value[COUNTER_global_store_requests]
                 ? "stored its results elsewhere, and nothing copied them"
                 : "ran, but none of its threads stored anything");
  else if (!corner || !launch || add_steps(&words, &w, launch))
    ;
  else if (is_first(w.row, w.row_count) && is_first(w.column, w.column_count))
    add_first(&words, &w, launch);
  free_all(w.row, w.column);
  return words.data;
}
