/* history.c: records changes of grades, and prints those of a student. */
#include "grader/class/book/attempt.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "grader/class/book/submitters.h"

void history_record(struct gradebook *book, const char *cause) {
  attempts_count(book);
  autofree char *now = gradebook_now();
  gradebook_run(book, "DROP TABLE IF EXISTS temp.moved", "");
  /* A student's grade with an attempt under way stays what it was. */
  gradebook_run(
      book,
      "CREATE TEMP TABLE moved AS"
      " SELECT n.student, n.lab, n.id, n.status, n.score, n.max, n.late, o.attempt AS old_id,"
      "  o.status AS old_status, o.score AS old_score, o.max AS old_max, o.late AS old_late,"
      "  n.graded_at AS at"
      " FROM attempt AS n LEFT JOIN standing AS o ON o.student=n.student AND o.lab=n.lab"
      " WHERE n.counts AND n.status<>'pending' AND (o.attempt IS NOT n.id OR o.status<>n.status"
      "  OR o.score IS NOT n.score OR o.max IS NOT n.max OR o.late<>n.late)"
      " UNION ALL SELECT o.student, o.lab, NULL, NULL, NULL, NULL, NULL, o.attempt, o.status,"
      "  o.score, o.max, o.late, NULL FROM standing AS o WHERE NOT EXISTS"
      "  (SELECT 1 FROM attempt AS a WHERE a.student=o.student AND a.lab=o.lab AND a.counts)",
      "");
  gradebook_run(book,
                "INSERT INTO change(at, student, lab, cause, old_attempt, old_status, old_score,"
                " old_max, old_late, attempt, status, score, max, late)"
                " SELECT CASE WHEN at>?2 OR at IS NULL OR old_id IS id THEN ?2 ELSE at END,"
                "  student, lab, ?1, old_id, old_status, old_score, old_max, old_late, id, status,"
                "  score, max, late FROM moved ORDER BY student, lab",
                "ss", cause, now);
  gradebook_run(
      book, "DELETE FROM standing WHERE (student, lab) IN (SELECT student, lab FROM moved)", "");
  gradebook_run(book,
                "INSERT INTO standing SELECT student, lab, id, status, score, max, late FROM moved"
                " WHERE id IS NOT NULL",
                "");
  gradebook_run(book, "DROP TABLE moved", "");
}

/* The id of the student that somebody calls so; ends the program if nobody is, or two are. */
static char *find_student(struct class *class, const char *words) {
  char *id = gradebook_string(class->book, "SELECT id FROM student WHERE id=?1", "s", words);
  if (id) return id;
  struct people people = submitters_people(class->book);
  struct mention mention = {0};
  mention_identify(&mention, IDENTITY_FOLDER, words);
  people_match(&people, &mention, 1);
  if (mention.person < 0)
    die("--log %s: there is no such student%s%s", words, mention.why ? ": " : "",
        mention.why ? mention.why : "");
  id = xstrdup(people.list[mention.person].id);
  mention_free(&mention);
  people_free(&people);
  return id;
}

/* "85 of 100", "refused", "-". */
static char *grade_words(sqlite3_stmt *rows, int first) {
  const char *status = row_text(rows, first);
  if (!status) return xstrdup("-");
  if (strcmp(status, "graded") != 0)
    return xstrdup(strcmp(status, "error") == 0 ? "not graded" : status);
  long long late = sqlite3_column_int64(rows, first + 3);
  return xprintf("%lld of %lld%s", (long long)sqlite3_column_int64(rows, first + 1),
                 (long long)sqlite3_column_int64(rows, first + 2), late > 0 ? ", late" : "");
}

void history_print(struct class *class, const char *student) {
  autofree char *id = find_student(class, student);
  autofree char *shown = gradebook_string(
      class->book, "SELECT id || coalesce(', ' || name, '') FROM student WHERE id=?1", "s", id);
  printf("%s\n", shown);
  sqlite3_stmt *rows = gradebook_query(
      class->book,
      "SELECT c.at, c.lab, c.cause, c.old_status, c.old_score, c.old_max, c.old_late, c.status,"
      " c.score, c.max, c.late, a.number, a.file FROM change AS c LEFT JOIN attempt AS a ON"
      " a.id=c.attempt WHERE c.student=?1 ORDER BY c.id",
      "s", id);
  int count = 0;
  for (; row_next(rows); count++) {
    autofree char *before = grade_words(rows, 3), *after = grade_words(rows, 7);
    const char *file = row_text(rows, 12);
    printf("%s  %-6s  %-14s -> %-14s  %s", row_text(rows, 0), row_text(rows, 1), before, after,
           row_text(rows, 2));
    if (file) printf("; attempt %d, %s", sqlite3_column_int(rows, 11), file);
    printf("\n");
  }
  if (!count) printf("No grade yet.\n");
}
