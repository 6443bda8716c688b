/* summary_progress.c: what attempt after attempt has brought; see summary.h. */
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "grader/class/report/summary_parts.h"

static struct standing *find_student(struct summary *summary, const char *student) {
  int low = 0, high = summary->count - 1;
  while (low <= high) { /* in the order of the ids, as SQLite has it: bytes */
    int middle = (low + high) / 2, order = strcmp(student, summary->standings[middle].student);
    if (order == 0) return &summary->standings[middle];
    if (order < 0)
      high = middle - 1;
    else
      low = middle + 1;
  }
  return NULL;
}

/* Graded again, an attempt is there twice: the later grade counts. */
static void read_scores(struct gradebook *book, struct summary *summary) {
  sqlite3_stmt *rows = gradebook_query(
      book,
      "WITH latest AS (SELECT student, number, score, row_number() OVER"
      "   (PARTITION BY student, number ORDER BY counts DESC, graded_at DESC, id) AS place"
      "  FROM attempt WHERE lab = ?1 AND status = 'graded' AND score IS NOT NULL"
      "   AND ifnull(verdict, '') <> 'error')"
      " SELECT student, number, score FROM latest WHERE place = 1"
      " ORDER BY student, number",
      "s", summary->lab);
  while (gradebook_next(book, rows)) {
    char *student = column_string(rows, 0);
    struct standing *standing = student ? find_student(summary, student) : NULL;
    free(student);
    if (!standing) continue;
    size_t room = (size_t)standing->score_count + 1;
    standing->scores = xrealloc(standing->scores, room * sizeof *standing->scores);
    standing->numbers = xrealloc(standing->numbers, room * sizeof *standing->numbers);
    standing->scores[standing->score_count] = column_double(rows, 2);
    standing->numbers[standing->score_count++] = (int)column_long(rows, 1, 1);
    if (standing->numbers[standing->score_count - 1] > summary->most_attempts)
      summary->most_attempts = standing->numbers[standing->score_count - 1];
  }
  sqlite3_finalize(rows);
}

/* The student's last score among the first `number` attempts; -1: none yet. */
static double score_after(const struct standing *standing, int number) {
  double score = -1;
  for (int i = 0; i < standing->score_count && standing->numbers[i] <= number; i++)
    score = standing->scores[i];
  return score;
}

void summary_progress(struct gradebook *book, struct summary *summary) {
  read_scores(book, summary);
  double *scores = xcalloc((size_t)summary->count, sizeof *scores);
  summary->median_after = xcalloc((size_t)summary->most_attempts, sizeof *summary->median_after);
  for (int number = 1; number <= summary->most_attempts; number++) {
    int count = 0;
    for (int i = 0; i < summary->count; i++) {
      double score = score_after(&summary->standings[i], number);
      if (score >= 0) scores[count++] = score;
    }
    summary->median_after[number - 1] = spread_of(scores, count).median;
  }
  free(scores);
}
