/* export_moodle.c: Moodle's offline grading worksheet, downloaded and uploaded on an
 * assignment's page of submissions:
 *
 *     Identifier,Full name,Email address,Status,Grade,Maximum Grade,...,Feedback comments
 *     Participant 1234567,Ada Lovelace,ada@example.edu,...
 *
 * Moodle finds students by Identifier and takes Grade and Feedback comments, which are HTML.
 * (docs.moodle.org, "Assignment: offline grading"; mod/assign/feedback/offline.) */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "export.h"
#include "roster.h"
#include "student.h"

static const char *const grade_words[] = {"Grade", NULL};
static const char *const most_words[] = {"Maximum Grade", NULL};
static const char *const feedback_words[] = {"Feedback comments", "Feedback", NULL};

static void add_html(struct text *text, const char *words) {
  for (; *words; words++) {
    const char *entity = *words == '<'   ? "&lt;"
                         : *words == '>' ? "&gt;"
                         : *words == '&' ? "&amp;"
                                         : NULL;
    if (entity)
      text_add(text, "%s", entity);
    else
      text_append(text, words, 1);
  }
}

static void add_tagged(struct text *text, const char *before, const char *words,
                       const char *after) {
  text_add(text, "%s", before);
  add_html(text, words);
  text_add(text, "%s", after);
}

/* A file that did not compile: the compiler's own words say more than what each item lost. */
static bool add_build(struct class *class, const char *attempt, struct text *text) {
  sqlite3_stmt *rows = gradebook_query(
      class->book, "SELECT line, message FROM hazard WHERE attempt=?1 AND kind='build'", "s",
      attempt);
  bool there = gradebook_next(class->book, rows);
  if (there) {
    text_add(text, "<br>The file does not compile: ");
    if (sqlite3_column_int(rows, 0)) text_add(text, "line %d: ", sqlite3_column_int(rows, 0));
    add_html(text, (const char *)sqlite3_column_text(rows, 1));
  }
  sqlite3_finalize(rows);
  return there;
}

/* What was lost, why, and what to try; the same reason only once. */
static char *feedback_of(struct class *class, const char *lab, const struct export_grade *grade) {
  struct text text = {0};
  text_add(&text, "%s: %g / %g", lab, grade->score, grade->max);
  if (add_build(class, grade->attempt, &text)) return text.data;
  sqlite3_stmt *rows = gradebook_query(
      class->book,
      "SELECT title, points, max, reason, hint FROM item WHERE attempt=?1 AND points<max "
      "ORDER BY position",
      "s", grade->attempt);
  char *last = NULL;
  while (gradebook_next(class->book, rows)) {
    const char *reason = (const char *)sqlite3_column_text(rows, 3),
               *hint = (const char *)sqlite3_column_text(rows, 4);
    add_tagged(&text, "<br><b>", (const char *)sqlite3_column_text(rows, 0), "</b>");
    text_add(&text, " (%d / %d)", sqlite3_column_int(rows, 1), sqlite3_column_int(rows, 2));
    bool same = reason && last && strcmp(reason, last) == 0;
    if (reason && !same) {
      add_tagged(&text, ": ", reason, "");
      if (hint) add_tagged(&text, " <i>Try: ", hint, "</i>");
    }
    free(last);
    last = reason ? xstrdup(reason) : NULL;
  }
  free(last);
  sqlite3_finalize(rows);
  return text.data;
}

static char *cell_of(const char *value) {
  struct text text = {0};
  csv_add_safe(&text, value, ',');
  return text.data ? text.data : xstrdup("");
}

/* A worksheet for those who have a grade. */
static void make(struct class *class, const char *path, const char *lab) {
  struct text text = {0};
  text_add(&text, "Identifier,Full name,Email address,Grade,Maximum Grade,Feedback comments\r\n");
  sqlite3_stmt *rows = gradebook_query(
      class->book,
      "SELECT s.id, coalesce(s.name, ''), coalesce(s.email, '') FROM student AS s JOIN attempt AS "
      "a "
      "ON a.student=s.id AND a.lab=?1 AND a.counts AND a.status='graded' ORDER BY s.id",
      "s", lab);
  int count = 0;
  while (gradebook_next(class->book, rows)) {
    struct export_grade grade;
    const char *id = (const char *)sqlite3_column_text(rows, 0);
    if (!export_find(class, id, lab, &grade)) continue;
    char *points = export_points(&grade, 0), *feedback = feedback_of(class, lab, &grade);
    for (int i = 0; i < 3; i++) {
      csv_add_safe(&text, (const char *)sqlite3_column_text(rows, i), ',');
      text_add(&text, ",");
    }
    text_add(&text, "%s,%g,", points, grade.max);
    csv_add_safe(&text, feedback, ',');
    text_add(&text, "\r\n");
    free(points);
    free(feedback);
    free(grade.attempt);
    count++;
  }
  sqlite3_finalize(rows);
  export_write(path, &text);
  text_free(&text);
  class_note(class, "%s: made, with %d grades of %s", path, count, lab);
}

void export_moodle(struct class *class, const char *path) {
  char *lab = export_lab(class, "--moodle");
  if (access(path, F_OK) != 0 && errno == ENOENT) {
    make(class, path, lab);
    free(lab);
    return;
  }
  struct csv csv;
  export_read("--moodle", path, &csv);
  struct roster_columns columns;
  int grades = csv_column(&csv, grade_words), most = csv_column(&csv, most_words),
      comments = csv_column(&csv, feedback_words), count = 0, without = 0;
  if (!roster_find_columns(&csv, &columns) || grades < 0)
    die("--moodle %s: this is no grading worksheet: it has no columns Identifier and Grade", path);
  struct export_change *changes = xcalloc(2 * (size_t)csv.count, sizeof *changes);
  struct text seen = {0};
  text_add(&seen, "\n");
  bool scaled = false;
  for (int row = 1; row < csv.count; row++) {
    struct student student;
    struct export_grade grade;
    char *made;
    bool named = roster_student(&csv, &columns, row, &student, &made);
    char *id = named ? student_find(class->book, &student) : NULL;
    if (id && export_find(class, id, lab, &grade)) {
      double possible = most >= 0 ? strtod(csv_value(&csv, row, most), NULL) : 0;
      scaled |= possible > 0 && possible != grade.max;
      changes[count++] = (struct export_change){row, grades, export_points(&grade, possible)};
      if (comments >= 0) {
        char *feedback = feedback_of(class, lab, &grade);
        changes[count++] = (struct export_change){row, comments, cell_of(feedback)};
        free(feedback);
      }
      free(grade.attempt);
    } else if (named) {
      without++;
    }
    if (id) text_add(&seen, "%s\n", id);
    free(id);
    free(made);
  }
  export_tell_missing(class, lab, text_get(&seen), path);
  char *beside = export_beside(path);
  struct text text = export_apply(&csv, changes, count);
  export_write(beside, &text);
  class_note(class, "%s: %d grades of %s%s; %d rows without a grade are as they were%s", beside,
             comments >= 0 ? count / 2 : count, lab,
             comments >= 0 ? "" : ", without feedback (the worksheet has no such column)", without,
             scaled ? "; grades are scaled to Maximum Grade" : "");
  for (int i = 0; i < count; i++) free(changes[i].text);
  free(changes);
  text_free(&text);
  text_free(&seen);
  free(beside);
  free(lab);
  csv_free(&csv);
}
