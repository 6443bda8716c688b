/* export_canvas.c: Canvas's gradebook, which "Export Entire Gradebook" writes and "Import" reads:
 *
 *     Student,ID,SIS User ID,SIS Login ID,Section,Lab 2 (12345),Current Score
 *         Points Possible,,,,,100,(read only)
 *     "Lovelace, Ada",1234,u7,ada,Section 1,,
 *
 * or LastName,FirstName in place of Student. Canvas finds students by ID, and a column by the
 * number in brackets. Headings are English in every language; numbers are not, nor is the
 * separator. (Instructure's guide "How do I import grades in the Gradebook?";
 * lib/gradebook_exporter.rb, lib/gradebook_importer.rb.) There may be more rows of its own before
 * the students. EX is for a student who is excused, and stays. */
#include <stdlib.h>
#include <string.h>

#include "grader/class/export/export.h"
#include "grader/class/people/names.h"

/* Columns that Canvas fills itself. */
static bool is_own(const char *heading) {
  static const char *const own[] = {
      "Student",       "LastName",       "FirstName",     "ID",
      "SIS User ID",   "SIS Login ID",   "Section",       "Root Account",
      "Current Score", "Final Score",    "Current Grade", "Final Grade",
      "Email",         "Name",           "Login ID",      "Integration ID",
      "Notes",         "Current Points", "Final Points",  NULL};
  return csv_heading_is(heading, own) || strstr(heading, "Unposted ") ||
         strstr(heading, " Current Score") || strstr(heading, " Final Score") ||
         strstr(heading, " Current Points") || strstr(heading, " Final Points");
}

/* "Lab 2" of "Lab 2 (12345)". The caller's. */
static char *title_of(const char *heading) {
  size_t length = strlen(heading);
  if (length && heading[length - 1] == ')') {
    size_t at = length - 1;
    while (at > 0 && strchr("0123456789", heading[at - 1])) at--;
    if (at > 1 && at < length - 1 && heading[at - 1] == '(') length = at - 1;
  }
  while (length && heading[length - 1] == ' ') length--;
  return xprintf("%.*s", (int)length, heading);
}

/* The points row: its index, or -1. Its words may be in any language, but it comes before people,
 * begins with blanks and has no ID. */
static int points_row(const struct csv *csv, int id) {
  for (int row = 1; row < csv->count && row < 4; row++) {
    const char *first = csv_value(csv, row, 0);
    if (strncmp(first, "    ", 4) == 0 && !*csv_value(csv, row, id)) return row;
    if (strncmp(first + strspn(first, " "), "Points Possible", 15) == 0) return row;
  }
  return -1;
}

static int find_column(struct class *class, const struct csv *csv, const char *path,
                       const char *lab, int points) {
  struct lab facts;
  lab_open(&class->kit, lab, &facts);
  char *const labs[] = {(char *)lab, NULL};
  int found = -1, matches = 0;
  struct text list = {0};
  for (int i = 0; i < csv->rows[0].count; i++) {
    const char *heading = csv_value(csv, 0, i), *wanted = class->options->column;
    if (is_own(heading) || strcmp(csv_value(csv, points, i), "(read only)") == 0) continue;
    autofree char *title = title_of(heading);
    bool match = wanted ? strcmp(wanted, heading) == 0 || strcmp(wanted, title) == 0
                        : names_lab(heading, labs) || strcmp(title, facts.conf.title) == 0;
    text_add(&list, "\n    %s", heading);
    if (!match) continue;
    found = i;
    matches++;
  }
  if (matches != 1) {
    class_note(class, "Columns of assignments in %s:", path);
    for (char *rest = list.data, *line; rest && (line = strsep(&rest, "\n"));)
      if (*line) class_note(class, "%s", line);
    if (matches)
      die("--canvas %s: %d columns could be meant for %s: say which with --column", path, matches,
          lab);
    die("--canvas %s: no column is named %s: say which with --column", path,
        class->options->column ? class->options->column : lab);
  }
  text_free(&list);
  lab_free(&facts);
  return found;
}

void export_canvas(struct class *class, const char *path) {
  struct export_table table;
  export_table_read(class, "--canvas", path, &table);
  const struct csv *csv = &table.csv;
  int id = table.columns.identity[IDENTITY_CANVAS];
  if (id < 0)
    die("--canvas %s: this is not an export of a Canvas gradebook: it has no columns Student (or "
        "LastName), ID and Section, but %s",
        path, roster_headings(csv));
  autofree char *lab = export_lab(class, "--canvas");
  int points = points_row(csv, id), column = find_column(class, csv, path, lab, points);
  export_table_numbers(class, &table, &column, 1);
  struct export_filling filling = {
      .lab = lab,
      .grade = column,
      .max = -1,
      .feedback = -1,
      .possible = points >= 0 ? export_table_number(&table, points, column) : 0,
      .excused = "EX"};
  export_table_match(class, &table);
  export_table_fill(class, &table, &filling);
  class_note(class,
             "%s: %d grades of %s in column %s; rows without a grade: %d, left as they are%s",
             filling.path, filling.count, lab, csv_value(csv, 0, column), filling.without,
             filling.scaled ? "; points are scaled to the column's points possible" : "");
  free(filling.path);
  export_table_free(&table);
}
