/* coverage.c: finds the pattern of elements that no thread wrote.
 *
 * A grid of blocks covers the first rows and columns, as many as it has threads (or tiles: a thread
 * may write several elements). So an output of which exactly the first R rows and C columns were
 * written, R and C being multiples of the grid's size, came from a grid that is too small. Nothing
 * is claimed where that does not add up. */
#include "grader/run/run.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"

/* What was written of a matrix. */
struct written {
  const char *name;
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

/* Elements that each of `blocks` blocks of `threads` threads covers, if together they cover exactly
 * `extent`, else 0. */
static long share(long extent, uint64_t blocks, uint64_t threads) {
  long each = extent / (long)blocks;
  return extent % (long)blocks == 0 && each > 0 && each % (long)threads == 0 ? each : 0;
}

/* The grid's dimensions (0: x, 1: y) that run along rows and columns, as far as what was written
 * tells. False: it does not. The lab's own order, x along columns, is tried first, and one element
 * a thread before several. */
static bool find_axes(const struct written *w, const struct launch_record *launch,
                      int *along_columns) {
  bool short_rows = w->row_count < w->rows, short_columns = w->column_count < w->columns;
  for (int exact = 1; exact >= 0; exact--)
    for (int x = 0; x < 2; x++) {
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
  for (int axis = 0; axis < 2; axis++) {
    long step = (long)launch->block[axis];
    bool columns = w->row_count == w->rows && is_every(w->column, w->columns, step),
         rows = w->column_count == w->columns && is_every(w->row, w->rows, step);
    if (step < 2 || columns == rows) continue;
    text_add(words,
             "only every %ldth %s was written, and a block (line %d) has %ld threads in %c: is "
             "threadIdx.%c missing in the index of the %s?",
             step, columns ? "column" : "row", launch->line, step, "xy"[axis], "xy"[axis],
             columns ? "column" : "row");
    return true;
  }
  return false;
}

char *coverage_describe(const struct problem *problem, const long *dims,
                        const struct report *report, int set) {
  int output = problem->input_count;
  struct written w = {.name = problem->arrays[output].name,
                      .rows = (long)problem_rows(problem, output, dims),
                      .columns = (long)problem_columns(problem, output, dims)};
  struct text words = {0};
  int launches;
  const struct launch_record *launch = only_launch(report, set, &launches);
  look(&w, report->sets[set].outputs[0]);
  bool corner = w.count > 0 && w.count == w.row_count * w.column_count;
  int along_columns;
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
  else if (is_first(w.row, w.row_count) && is_first(w.column, w.column_count) &&
           find_axes(&w, launch, &along_columns)) {
    text_add(&words, "%s was written only in ", w.name);
    if (w.row_count < w.rows) add_extent(&words, "row", w.row_count, w.rows);
    if (w.row_count < w.rows && w.column_count < w.columns) text_add(&words, " and ");
    if (w.column_count < w.columns) add_extent(&words, "column", w.column_count, w.columns);
    add_grid(&words, &w, launch, along_columns);
  }
  free_all(w.row, w.column);
  return words.data;
}
