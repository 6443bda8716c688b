/* export_canvas.c: Canvas's gradebook, as "Export Entire Gradebook" writes it and "Import" reads
 * it back:
 *
 *     Student,ID,SIS User ID,SIS Login ID,Section,Lab 2 (12345),Current Score
 *         Points Possible,,,,,100,(read only)
 *     "Lovelace, Ada",1234,u7,ada,Section 1,,
 *
 * Canvas finds students by ID, and a column by the number in brackets. (Instructure's guide "How
 * do I import grades in the Gradebook?"; app/models/gradebook_importer.rb.) There may be more
 * rows of its own before the students. EX is for a student who is excused, and stays. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "export.h"
#include "names.h"
#include "roster.h"
#include "student.h"

/* Columns that Canvas fills itself. */
static bool is_own(const char *heading) {
  static const char *const own[] = {"Student",       "ID",
                                    "SIS User ID",   "SIS Login ID",
                                    "Section",       "Root Account",
                                    "Current Score", "Final Score",
                                    "Current Grade", "Final Grade",
                                    "Email",         "Name",
                                    "Login ID",      "Integration ID",
                                    "Notes",         "Current Points",
                                    "Final Points",  NULL};
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

/* The points row: its index, or -1. */
static int points_row(const struct csv *csv) {
  for (int row = 1; row < csv->count && row < 4; row++) {
    const char *first = csv_value(csv, row, 0);
    if (strncmp(first + strspn(first, " "), "Points Possible", 15) == 0) return row;
  }
  return -1;
}

static int find_column(struct class *class, const struct csv *csv, const char *path,
                       const char *lab) {
  struct lab facts;
  lab_open(&class->kit, lab, &facts);
  char *const labs[] = {(char *)lab, NULL};
  int found = -1, matches = 0, points = points_row(csv);
  struct text list = {0};
  for (int i = 0; i < csv->rows[0].count; i++) {
    const char *heading = csv_value(csv, 0, i), *wanted = class->options->column;
    if (is_own(heading) || strcmp(csv_value(csv, points, i), "(read only)") == 0) continue;
    char *title = title_of(heading);
    bool match = wanted ? strcmp(wanted, heading) == 0 || strcmp(wanted, title) == 0
                        : names_lab(heading, labs) || strcmp(title, facts.conf.title) == 0;
    free(title);
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
  struct csv csv;
  export_read("--canvas", path, &csv);
  struct roster_columns columns;
  static const char *const student_words[] = {"Student", NULL}, *const id_words[] = {"ID", NULL};
  if (csv_column(&csv, student_words) < 0 || csv_column(&csv, id_words) < 0 ||
      !roster_find_columns(&csv, &columns))
    die("--canvas %s: this is no export of a Canvas gradebook: it has no columns Student and ID",
        path);
  char *lab = export_lab(class, "--canvas"), *beside = export_beside(path);
  int column = find_column(class, &csv, path, lab), points = points_row(&csv), count = 0,
      without = 0;
  double possible = points >= 0 ? strtod(csv_value(&csv, points, column), NULL) : 0;
  bool scaled = false;
  struct export_change *changes = xcalloc((size_t)csv.count, sizeof *changes);
  struct text seen = {0};
  text_add(&seen, "\n");
  for (int row = 1; row < csv.count; row++) {
    struct student student;
    struct export_grade grade;
    char *made;
    bool named = roster_student(&csv, &columns, row, &student, &made);
    bool excused = strcasecmp(csv_value(&csv, row, column), "EX") == 0;
    char *id = named && row != points ? student_find(class->book, &student) : NULL;
    if (id && !excused && export_find(class, id, lab, &grade)) {
      scaled |= possible > 0 && possible != grade.max;
      changes[count++] = (struct export_change){row, column, export_points(&grade, possible)};
      free(grade.attempt);
    } else if (named && row != points) {
      without++;
    }
    if (id) text_add(&seen, "%s\n", id);
    free(id);
    free(made);
  }
  export_tell_missing(class, lab, text_get(&seen), path);
  struct text text = export_apply(&csv, changes, count);
  export_write(beside, &text);
  class_note(class, "%s: %d grades of %s in column %s; %d rows without a grade are as they were%s",
             beside, count, lab, csv_value(&csv, 0, column), without,
             scaled ? "; points are scaled to the column's points possible" : "");
  for (int i = 0; i < count; i++) free(changes[i].text);
  free(changes);
  text_free(&text);
  text_free(&seen);
  free(beside);
  free(lab);
  csv_free(&csv);
}
