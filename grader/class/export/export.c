/* export.c: what exports to different platforms share. */
#include "grader/class/export/export.h"

#include <stdlib.h>
#include <string.h>

char *export_lab(struct class *class, const char *option) {
  if (class->options->lab) return xstrdup(class->options->lab);
  if (gradebook_number(class->book, "SELECT count(DISTINCT lab) FROM attempt WHERE lab<>''", "") >
      1)
    die("%s: there are several labs here: choose one with --lab", option);
  char *lab = gradebook_string(class->book, "SELECT lab FROM attempt WHERE lab<>'' LIMIT 1", "");
  if (!lab) die("%s: there is nothing to export yet", option);
  return lab;
}

bool export_find(struct class *class, const char *student, const char *lab,
                 struct export_grade *grade) {
  sqlite3_stmt *rows = gradebook_query(class->book,
                                       "SELECT id, score, max FROM attempt WHERE student=?1 AND "
                                       "lab=?2 AND counts AND status='graded' LIMIT 1",
                                       "ss", student, lab);
  bool there = false;
  for (; row_next(rows); there = true)
    *grade = (struct export_grade){row_copy(rows, 0), sqlite3_column_double(rows, 1),
                                   sqlite3_column_double(rows, 2)};
  return there;
}

static int by_place(const void *a, const void *b) {
  const struct export_change *x = a, *y = b;
  return x->row != y->row ? x->row - y->row : x->column - y->column;
}

struct text export_apply(const struct csv *csv, const struct export_change *changes, int count) {
  autofree struct export_change *sorted = xcalloc((size_t)count + 1, sizeof *sorted);
  if (count) memcpy(sorted, changes, sizeof *sorted * (size_t)count);
  qsort(sorted, (size_t)count, sizeof *sorted, by_place);
  struct text text = {0};
  size_t at = 0;
  for (int i = 0; i < count; i++) {
    const struct csv_row *row = &csv->rows[sorted[i].row];
    if (sorted[i].column < row->count) {
      const struct csv_cell *cell = &row->cells[sorted[i].column];
      text_append(&text, csv->text + at, cell->start - at);
      at = cell->end;
    } else { /* a row that ends early: by as many separators as are missing */
      size_t end = row->cells[row->count - 1].end;
      if (end > at) text_append(&text, csv->text + at, end - at);
      at = end;
      int have = row->count - 1;
      if (i > 0 && sorted[i - 1].row == sorted[i].row && sorted[i - 1].column > have)
        have = sorted[i - 1].column;
      for (int c = have; c < sorted[i].column; c++) text_append(&text, &csv->separator, 1);
    }
    text_add(&text, "%s", sorted[i].text);
  }
  text_append(&text, csv->text + at, csv->length - at);
  return text;
}
