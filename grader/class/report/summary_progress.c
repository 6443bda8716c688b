/* summary_progress.c: scores over attempts. */
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "grader/class/report/summary.h"

static int by_student(const void *key, const void *standing) {
  return strcmp(key, ((const struct standing *)standing)->student);
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
  while (row_next(rows)) {
    /* They are in the order of the ids, as SQLite has it: bytes. */
    struct standing *standing =
        array_search(row_text(rows, 0), summary->standings, summary->count, by_student);
    if (!standing) continue;
    int number = sqlite3_column_int(rows, 1);
    *array_add(standing->scores, standing->score_count) =
        (struct attempt_score){number, row_double(rows, 2)};
    if (number > summary->max_attempts) summary->max_attempts = number;
  }
}

/* The student's last score among the first `number` attempts; -1: none yet. */
static double score_after(const struct standing *standing, int number) {
  double score = -1;
  for (int i = 0; i < standing->score_count && standing->scores[i].number <= number; i++)
    score = standing->scores[i].score;
  return score;
}

void summary_progress(struct gradebook *book, struct summary *summary) {
  read_scores(book, summary);
  autofree double *scores = xcalloc((size_t)summary->count, sizeof *scores);
  summary->median_after = xcalloc((size_t)summary->max_attempts, sizeof *summary->median_after);
  for (int number = 1; number <= summary->max_attempts; number++) {
    int count = 0;
    for (int i = 0; i < summary->count; i++) {
      double score = score_after(&summary->standings[i], number);
      if (score >= 0) scores[count++] = score;
    }
    summary->median_after[number - 1] = spread_of(scores, count).median;
  }
}
