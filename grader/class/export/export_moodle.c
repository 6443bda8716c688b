/* export_moodle.c: Moodle's offline grading worksheet, of an assignment's page of submissions:
 *
 *     Identifier,Full name,Email address,Status,Grade,Maximum grade,...,Last modified (grade),
 *     Participant 1234567,Ada Lovelace,ada@example.edu,...
 *
 * Headings are in the teacher's language. Moodle finds students by the number in Identifier, asks
 * for the columns Identifier, Grade and Last modified (grade), and takes Grade and Feedback
 * comments, which are HTML. A grade that was given before is only replaced if the worksheet's Last
 * modified (grade) is as new, or if the teacher allows it. (docs.moodle.org, "Assignment: offline
 * grading"; moodle/moodle, mod/assign/feedback/offline/importgradeslib.php.) */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "grader/class/export/export.h"

#include "grader/base/file.h"

static const char *const grade_words[] = {"Grade", "Bewertung", NULL};
static const char *const max_words[] = {"Maximum grade", "Bestwertung", NULL};
static const char *const feedback_words[] = {"Feedback comments", "Feedback als Kommentar",
                                             "Feedback", NULL};

static void add_html(struct text *text, const char *words) {
  for (; *words; words++)
    text_add(text,
             *words == '<'   ? "&lt;"
             : *words == '>' ? "&gt;"
             : *words == '&' ? "&amp;"
                             : "%c",
             *words);
}

static void add_tagged(struct text *text, const char *before, const char *words,
                       const char *after) {
  text_add(text, "%s", before);
  add_html(text, words);
  text_add(text, "%s", after);
}

/* A file that did not compile: the compiler's own message says more than what each item lost. */
static bool add_build(struct class *class, const char *attempt, struct text *text) {
  sqlite3_stmt *rows = gradebook_query(
      class->book, "SELECT line, message FROM hazard WHERE attempt=?1 AND kind='build' LIMIT 1",
      "s", attempt);
  bool there = false;
  for (; row_next(rows); there = true) {
    text_add(text, "<br>The file does not compile: ");
    if (sqlite3_column_int(rows, 0)) text_add(text, "line %d: ", sqlite3_column_int(rows, 0));
    add_html(text, row_text(rows, 1));
  }
  return there;
}

/* What was lost, why, and what to try; the same reason only once. */
static char *feedback_of(struct class *class, const char *lab, const struct export_grade *grade) {
  struct text text = {0};
  text_add(&text, "%s: %g / %g", lab, grade->score, grade->max);
  if (add_build(class, grade->attempt, &text)) return text.data;
  sqlite3_stmt *rows = gradebook_query(
      class->book,
      "SELECT title, points, max, nullif(reason, lag(reason) OVER (ORDER BY position)), hint"
      " FROM item WHERE attempt=?1 AND points<max ORDER BY position",
      "s", grade->attempt);
  while (row_next(rows)) {
    const char *reason = row_text(rows, 3), *hint = row_text(rows, 4);
    add_tagged(&text, "<br><b>", row_text(rows, 0), "</b>");
    text_add(&text, " (%d / %d)", sqlite3_column_int(rows, 1), sqlite3_column_int(rows, 2));
    if (reason) add_tagged(&text, ": ", reason, "");
    if (reason && hint) add_tagged(&text, " <i>Try: ", hint, "</i>");
  }
  return text.data;
}

/* A worksheet for those whose participant's number is known: from the names in Moodle's zip, or a
 * roster. A student may have several, of several assignments: that of the lab's attempt counts.
 *
 * Where groups hand in, the zip has their numbers instead, of which Moodle would think that they
 * are participants'. A roster shows that (submitter.why), or a submission without any number, which
 * is of those who are in no group. */
static void make(struct class *class, const char *path, const char *lab) {
  freed_by(text_free) struct text text = {0};
  text_add(&text,
           "Identifier,Full name,Email address,Grade,Maximum grade,"
           "Last modified (grade),Feedback comments\r\n");
  sqlite3_stmt *rows = gradebook_query(
      class->book,
      "SELECT s.id, coalesce(s.name, ''), coalesce(s.email, ''), s.id || coalesce(', ' || s.name, "
      "''),"
      " CASE WHEN u.kind='moodle' THEN u.value ELSE"
      "  (SELECT max(value) FROM identifier WHERE kind='moodle' AND student=s.id"
      "   HAVING count(*)=1) END,"
      " u.why IS NOT NULL OR (NOT s.listed AND EXISTS (SELECT 1 FROM submitter AS d WHERE"
      "  d.kind='folder' AND d.scope=u.scope)) OR (u.kind='moodle' AND EXISTS (SELECT 1 FROM"
      "  identifier AS i WHERE i.kind='moodle' AND i.value=u.value AND i.student<>s.id))"
      " FROM student AS s JOIN attempt AS a ON a.student=s.id AND a.lab=?1 AND a.counts AND"
      " a.status='graded' LEFT JOIN submitter AS u ON u.key=a.submitter ORDER BY s.id",
      "s", lab);
  int count = 0;
  while (row_next(rows)) {
    struct export_grade grade;
    const char *id = row_text(rows, 0), *number = row_text(rows, 4);
    bool group = sqlite3_column_int(rows, 5);
    if (!number || group) {
      class_problem(class,
                    "%s: %s %s: the grade is not exported; fill a worksheet that Moodle made", path,
                    group ? "only a number that may be a group's is known for"
                          : "no participant's number is known for",
                    row_text(rows, 3));
      continue;
    }
    if (!export_find(class, id, lab, &grade)) continue;
    autofree char *points = decimal_write(&(struct decimal_format){'.'}, grade.score),
                  *feedback = feedback_of(class, lab, &grade);
    text_add(&text, "Participant %s,", number);
    csv_add_safe(&text, row_text(rows, 1), ',');
    text_add(&text, ",");
    csv_add_safe(&text, row_text(rows, 2), ',');
    text_add(&text, ",%s,%g,-,", points, grade.max);
    csv_add_safe(&text, feedback, ',');
    text_add(&text, "\r\n");
    free(grade.attempt);
    count++;
  }
  file_write(path, text_get(&text), text.length);
  class_note(class,
             "%s: made, with %d grades of %s, for a Moodle in English where everybody hands in "
             "alone (for groups, its zip has only the groups' numbers); Moodle replaces grades "
             "that it already has if you tick that on upload",
             path, count, lab);
}

void export_moodle(struct class *class, const char *path) {
  autofree char *lab = export_lab(class, "--moodle");
  if (access(path, F_OK) != 0 && errno == ENOENT) {
    make(class, path, lab);
    return;
  }
  struct export_table table;
  export_table_read(class, "--moodle", path, &table);
  const struct csv *csv = &table.csv;
  struct export_filling filling = {
      .lab = lab,
      .grade = roster_column(class, csv, "grade", grade_words),
      .max = roster_column(class, csv, "max", max_words),
      .feedback = roster_column(class, csv, "feedback", feedback_words),
      .feedback_of = feedback_of};
  if (filling.grade < 0)
    die("--moodle %s: no column is called Grade; there are %s: say which it is with "
        "--columns grade=HEADING (and max=, feedback=, moodle=)",
        path, roster_headings(csv));
  export_table_numbers(class, &table, (int[]){filling.grade, filling.max}, 2);
  export_table_match(class, &table);
  export_table_fill(class, &table, &filling);
  class_note(class, "%s: %d grades of %s%s; rows without a grade: %d, left as they are%s",
             filling.path, filling.count, lab,
             filling.feedback >= 0 ? "" : ", without feedback (the worksheet has no such column)",
             filling.without, filling.scaled ? "; grades are scaled to the maximum grade" : "");
  free(filling.path);
  export_table_free(&table);
}
