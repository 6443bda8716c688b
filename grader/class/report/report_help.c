/* report_help.c: finds the students who need help. */
#include "grader/class/report/class_report.h"

#include <stdlib.h>

#include "grader/base/text.h"
#include "grader/class/report/report_words.h"
#include "grader/class/report/summary.h"
#include "grader/lab/metric.h"

enum { STUCK_ATTEMPTS = 3, STUCK_LAST = 2, STUCK_PERCENT = 90, LOW_PERCENT = 50 };

const char *need_title(enum need_kind kind) {
  static const char *const titles[NEEDS] = {"stuck",       "low score",  "nothing to grade",
                                            "kit's fault", "not graded", "nothing handed in"};
  return titles[kind];
}

/* The last attempts brought nothing. */
static bool is_stuck(const struct standing *standing) {
  int count = standing->score_count;
  if (count < STUCK_ATTEMPTS) return false;
  if (standing->score * 100 >= standing->max * STUCK_PERCENT) return false;
  double before = 0, last = 0;
  for (int i = 0; i < count; i++) {
    double *best = i < count - STUCK_LAST ? &before : &last;
    if (standing->scores[i].score > *best) *best = standing->scores[i].score;
  }
  return last <= before;
}

/* --- where to begin --- */

/* The first hazard that costs points, other than mere wrong results: often their cause. */
static char *first_hazard(struct gradebook *book, const char *attempt) {
  char *words = NULL;
  sqlite3_stmt *rows =
      gradebook_query(book,
                      "SELECT kind, CASE WHEN line>0 THEN ', line ' || line ELSE '' END, message"
                      " FROM hazard WHERE attempt=?1 AND NOT warning"
                      " AND kind NOT IN ('wrong', 'kit') ORDER BY position LIMIT 1",
                      "s", attempt);
  while (row_next(rows))
    words = xprintf("%s%s: %s", hazard_kind_title(row_text(rows, 0)), row_text(rows, 1),
                    row_text(rows, 2));
  return words;
}

static char *first_item(struct gradebook *book, const char *attempt) {
  return gradebook_string(book,
                          "SELECT title || coalesce(': ' || reason, '') FROM item WHERE"
                          " attempt=?1 AND points<max ORDER BY position",
                          "s", attempt);
}

/* --- the list --- */

static void add(struct needs *needs, int standing, enum need_kind kind, char *reason, char *first) {
  *array_add(needs->items, needs->count) = (struct need){standing, kind, reason, first};
  needs->kinds[kind]++;
}

static void look_at_graded(struct gradebook *book, const struct standing *standing, int place,
                           struct needs *needs) {
  bool stuck = is_stuck(standing), low = standing->score * 100 < standing->max * LOW_PERCENT;
  if (!stuck && !low) return;
  char *first = first_hazard(book, standing->attempt);
  if (!first) first = first_item(book, standing->attempt);
  char *reason = stuck ? xprintf("%ld of %ld points; the last %d of %d attempts gained nothing",
                                 standing->score, standing->max, STUCK_LAST, standing->score_count)
                       : xprintf("%ld of %ld points", standing->score, standing->max);
  add(needs, place, stuck ? NEED_STUCK : NEED_LOW, reason, first);
}

static int compare(const void *left, const void *right, void *summary) {
  const struct need *a = left, *b = right;
  const struct standing *standings = ((const struct summary *)summary)->standings;
  if (a->kind != b->kind) return a->kind < b->kind ? -1 : 1;
  long more = standings[a->standing].score - standings[b->standing].score;
  if (more != 0) return more < 0 ? -1 : 1;
  return a->standing - b->standing;
}

void needs_find(struct gradebook *book, const struct summary *summary, struct needs *needs) {
  static const struct {
    enum need_kind kind;
    const char *reason, *first; /* reason: NULL for the attempt's own */
  } known[STANDING_STATES] = {
      [STANDING_REFUSED] = {NEED_REFUSED, NULL, "Ask for the file again."},
      [STANDING_ERROR] = {NEED_ERROR, NULL,
                          "This is not the student's fault and costs no points: ./grade doctor may "
                          "know more; then run ./grade class again."},
      [STANDING_PENDING] = {NEED_PENDING, "handed in, but not graded yet",
                            "Run ./grade class again."},
      [STANDING_MISSING] = {NEED_MISSING, "nothing handed in", NULL},
  };
  *needs = (struct needs){0};
  for (int i = 0; i < summary->count; i++) {
    const struct standing *standing = &summary->standings[i];
    const char *reason = known[standing->state].reason, *first = known[standing->state].first;
    if (!reason) reason = standing->reason ? standing->reason : "no reason is known";
    if (standing->state == STANDING_GRADED)
      look_at_graded(book, standing, i, needs);
    else
      add(needs, i, known[standing->state].kind, xstrdup(reason), first ? xstrdup(first) : NULL);
  }
  if (needs->count > 0)
    qsort_r(needs->items, (size_t)needs->count, sizeof *needs->items, compare, (void *)summary);
}

void needs_free(struct needs *needs) {
  for (int i = 0; i < needs->count; i++) free_all(needs->items[i].reason, needs->items[i].first);
  free(needs->items);
  *needs = (struct needs){0};
}
