/* export_table.c: finds out whose rows a platform's table has. A grade goes into a row only if the
 * row is a student's by what people.h takes for sure enough, and no other row is. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "grader/base/file.h"
#include "grader/class/book/submitters.h"
#include "grader/class/export/export.h"

void export_table_read(struct class *class, const char *option, const char *path,
                       struct export_table *table) {
  *table = (struct export_table){.option = option, .path = path, .format = {'.'}};
  char *wrong = csv_read(path, &table->csv);
  if (wrong) die("%s %s: %s", option, path, wrong);
  if (table->csv.count == 0) die("%s %s: it is empty", option, path);
  if (!roster_find_columns(class, &table->csv, &table->columns))
    die("%s %s: none of the headings %s shows whose row it is; name one that does with --columns "
        "name=HEADING",
        option, path, roster_headings(&table->csv));
}

static void refuse_twins(struct export_table *table) {
  int count = table->csv.count, *rows = xcalloc((size_t)table->people.count + 1, sizeof *rows);
  for (int row = 1; row < count; row++)
    if (table->rows[row].person >= 0) rows[table->rows[row].person]++;
  for (int row = 1; row < count; row++) {
    struct mention *mention = &table->rows[row];
    if (mention->person < 0 || rows[mention->person] < 2) continue;
    free(mention->why);
    mention->why = xprintf("%s has another row, too", table->people.list[mention->person].id);
    mention->match = MATCH_NONE;
  }
  for (int row = 1; row < count; row++)
    if (table->rows[row].match == MATCH_NONE) table->rows[row].person = -1;
  free(rows);
}

void export_table_match(struct class *class, struct export_table *table) {
  int count = table->csv.count;
  table->rows = xcalloc((size_t)count, sizeof *table->rows);
  table->is_person = xcalloc((size_t)count, sizeof *table->is_person);
  table->names = xcalloc((size_t)count, sizeof *table->names);
  for (int row = 1; row < count; row++) {
    table->is_person[row] =
        roster_row(&table->csv, &table->columns, row, &table->rows[row], &table->names[row]);
    if (table->is_person[row]) continue;
    mention_free(&table->rows[row]);
    table->rows[row].name = NULL;
  }
  table->people = submitters_people(class->book);
  if (count > 1) people_match(&table->people, table->rows + 1, count - 1);
  refuse_twins(table);
}

void export_table_numbers(struct class *class, struct export_table *table, const int *columns,
                          int count) {
  const char *decimal = class->options->decimal;
  struct decimal_evidence evidence = {0};
  if (decimal) evidence.forced = strcmp(decimal, "comma") == 0 ? ',' : '.';
  for (int row = 1; row < table->csv.count; row++)
    for (int i = 0; i < count; i++)
      if (columns[i] >= 0)
        decimal_see(&evidence, csv_value(&table->csv, row, columns[i]), csv_line(&table->csv, row));
  char *wrong = decimal_decide(&evidence, table->csv.separator, &table->format);
  if (wrong) die("%s %s: %s", table->option, table->path, wrong);
}

double export_table_number(const struct export_table *table, int row, int column) {
  const char *cell = csv_value(&table->csv, row, column);
  double value = 0;
  if (decimal_is_empty(cell) || decimal_read(&table->format, cell, &value)) return value;
  die("%s %s: line %d: '%s' is not a number", table->option, table->path,
      csv_line(&table->csv, row), cell);
}

static const char *student_of(const struct export_table *table, int row) {
  int person = table->rows[row].person;
  return person < 0 ? NULL : table->people.list[person].id;
}

static void report_missing(struct class *class, const struct export_table *table, const char *lab) {
  autofree const char **seen = xcalloc((size_t)table->csv.count + 1, sizeof *seen);
  int count = 0, missing = 0;
  for (int row = 1; row < table->csv.count; row++)
    if (table->rows[row].person >= 0) seen[count++] = student_of(table, row);
  array_sort(seen, count, compare_strings);
  sqlite3_stmt *rows = gradebook_query(
      class->book,
      "SELECT a.student, a.student || coalesce(', ' || s.name, '') FROM attempt AS a LEFT JOIN "
      "student AS s ON "
      "s.id=a.student WHERE a.lab=?1 AND a.counts AND a.status='graded' ORDER BY a.student",
      "s", lab);
  while (row_next(rows)) {
    const char *id = row_text(rows, 0);
    if (array_search(&id, seen, count, compare_strings)) continue;
    class_problem(class, "%s: no row belongs to %s: the grade is not exported", table->path,
                  row_text(rows, 1));
    missing++;
  }
  for (int row = 1; row < table->csv.count && missing; row++)
    if (table->rows[row].why)
      class_note(class, "%s: line %d, %s: left as it is: %s", table->path,
                 csv_line(&table->csv, row), *table->names[row] ? table->names[row] : "a number",
                 table->rows[row].why);
}

/* A score out of `possible` points (0: as many as the lab has). */
static double points_of(const struct export_grade *grade, double possible) {
  return possible > 0 && grade->max > 0 ? grade->score * possible / grade->max : grade->score;
}

/* "grades.csv" as "grades.graded.csv". */
static char *path_beside(const char *path) {
  size_t length = strlen(path);
  if (length > 4 && strcasecmp(path + length - 4, ".csv") == 0) length -= 4;
  return xprintf("%.*s.graded.csv", (int)length, path);
}

/* Adds the changes of a row to the list; false: it gets no grade. */
static bool fill_row(struct class *class, const struct export_table *table, int row,
                     struct export_filling *filling, struct export_change **changes, int *count) {
  const char *student = student_of(table, row);
  struct export_grade grade;
  if (!student ||
      (filling->excused &&
       strcasecmp(csv_value(&table->csv, row, filling->grade), filling->excused) == 0) ||
      !export_find(class, student, filling->lab, &grade))
    return false;
  double possible =
      filling->max < 0 ? filling->possible : export_table_number(table, row, filling->max);
  filling->scaled |= possible > 0 && possible != grade.max;
  autofree char *points = decimal_write(&table->format, points_of(&grade, possible));
  struct text cell = {0};
  csv_add(&cell, points, table->csv.separator);
  *array_add(*changes, *count) = (struct export_change){row, filling->grade, cell.data};
  if (filling->feedback >= 0) {
    autofree char *feedback = filling->feedback_of(class, filling->lab, &grade);
    cell = (struct text){0};
    csv_add_safe(&cell, feedback, table->csv.separator);
    *array_add(*changes, *count) = (struct export_change){row, filling->feedback, cell.data};
  }
  free(grade.attempt);
  return true;
}

void export_table_fill(struct class *class, struct export_table *table,
                       struct export_filling *filling) {
  struct export_change *changes = NULL;
  int count = 0;
  for (int row = 1; row < table->csv.count; row++) {
    bool filled = fill_row(class, table, row, filling, &changes, &count);
    filling->count += filled;
    filling->without += !filled && table->is_person[row];
  }
  report_missing(class, table, filling->lab);
  freed_by(text_free) struct text text = export_apply(&table->csv, changes, count);
  filling->path = path_beside(table->path);
  file_write(filling->path, text_get(&text), text.length);
  for (int i = 0; i < count; i++) free(changes[i].text);
  free(changes);
}

void export_table_free(struct export_table *table) {
  for (int row = 1; row < table->csv.count; row++) {
    if (table->rows) mention_free(&table->rows[row]);
    if (table->names) free(table->names[row]);
  }
  free_all(table->rows, table->is_person, table->names);
  people_free(&table->people);
  csv_free(&table->csv);
}
