/* summary.c: standings, items and hazards over the class. */
#include "grader/class/report/summary.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"

/* --- samples --- */

static int by_value(const void *left, const void *right) {
  double a = *(const double *)left, b = *(const double *)right;
  return (a > b) - (a < b);
}

static double quantile(const double *sorted, int count, double share) {
  double at = share * (count - 1);
  int below = (int)at;
  if (below >= count - 1) return sorted[count - 1];
  return sorted[below] + (at - below) * (sorted[below + 1] - sorted[below]);
}

struct spread spread_of(double *values, int count) {
  double none = (double)NAN;
  struct spread spread = {count, none, none, none, none, none};
  if (count == 0) return spread;
  qsort(values, (size_t)count, sizeof *values, by_value);
  spread.quartile = quantile(values, count, 0.25);
  spread.median = quantile(values, count, 0.5);
  spread.upper = quantile(values, count, 0.75);
  double reach = 1.5 * (spread.upper - spread.quartile);
  int first = 0, last = count - 1;
  while (values[first] < spread.quartile - reach) first++;
  while (values[last] > spread.upper + reach) last--;
  spread.low = values[first];
  spread.high = values[last];
  return spread;
}

int summary_percent(int part, int whole) {
  if (part <= 0 || whole <= 0) return 0;
  if (part >= whole) return 100;
  int percent = (int)lround(100.0 * part / whole);
  return percent < 1 ? 1 : percent > 99 ? 99 : percent;
}

int item_missed(const struct item_summary *item) { return item->part + item->none; }

/* --- who stands where --- */

static enum standing_state state_of(const char *status, const char *verdict) {
  if (!status) return STANDING_MISSING;
  if (strcmp(status, "error") == 0 || (verdict && strcmp(verdict, "error") == 0))
    return STANDING_ERROR;
  if (strcmp(status, "refused") == 0) return STANDING_REFUSED;
  return strcmp(status, "graded") == 0 ? STANDING_GRADED : STANDING_PENDING;
}

/* What was refused because nothing shows which lab it is for (lab '') may be for this one. */
static void read_standings(struct gradebook *book, struct summary *summary) {
  gradebook_run(book, "DROP TABLE IF EXISTS temp.standing", "");
  gradebook_run(
      book, "CREATE TEMP TABLE standing (student TEXT, attempt TEXT PRIMARY KEY, place INTEGER)",
      "");
  sqlite3_stmt *rows = gradebook_query(
      book,
      "WITH ranked AS (SELECT *,"
      "  row_number() OVER (PARTITION BY student"
      "    ORDER BY lab DESC, counts DESC, number DESC, graded_at DESC, id) AS place"
      "  FROM attempt WHERE lab IN (?1, '')),"
      " numbers AS (SELECT student, count(DISTINCT lab || number) AS count FROM attempt"
      "  WHERE lab IN (?1, '') GROUP BY student)"
      " SELECT student.id, student.name, student.section, student.pseudonym, ranked.status,"
      "  ranked.id, ranked.verdict, ranked.reason, ranked.score, ranked.max, ranked.late,"
      "  numbers.count"
      " FROM student"
      " LEFT JOIN ranked ON ranked.student = student.id AND ranked.place = 1"
      " LEFT JOIN numbers ON numbers.student = student.id"
      " ORDER BY student.id",
      "s", summary->lab);
  while (row_next(rows)) {
    struct standing *standing = array_add(summary->standings, summary->count);
    *standing = (struct standing){.student = row_copy(rows, 0),
                                  .name = row_copy(rows, 1),
                                  .section = row_copy(rows, 2),
                                  .pseudonym = row_copy(rows, 3),
                                  .attempt = row_copy(rows, 5),
                                  .verdict = row_copy(rows, 6),
                                  .reason = row_copy(rows, 7),
                                  .score = sqlite3_column_int64(rows, 8),
                                  .max = sqlite3_column_int64(rows, 9),
                                  .late = sqlite3_column_int64(rows, 10),
                                  .attempts = sqlite3_column_int(rows, 11),
                                  .ratio = (double)NAN,
                                  .value = (double)NAN};
    standing->state = state_of(row_text(rows, 4), standing->verdict);
    if (standing->late < 0) standing->late = 0;
    summary->states[standing->state]++;
    summary->late += standing->late > 0;
    if (standing->state != STANDING_GRADED) continue;
    if (standing->max > summary->max) summary->max = standing->max;
    summary->full_marks += standing->score >= standing->max;
  }
}

/* The temporary table of the graded ones. */
static void mark_standings(struct gradebook *book, const struct summary *summary) {
  for (int i = 0; i < summary->count; i++) {
    const struct standing *standing = &summary->standings[i];
    if (standing->state != STANDING_GRADED) continue;
    gradebook_run(book, "INSERT INTO temp.standing VALUES (?1, ?2, ?3)", "ssi", standing->student,
                  standing->attempt, i);
  }
}

static void spread_scores(struct summary *summary) {
  autofree double *scores = xcalloc((size_t)summary->count, sizeof *scores);
  int count = 0;
  for (int i = 0; i < summary->count; i++) {
    if (summary->standings[i].state == STANDING_GRADED)
      scores[count++] = (double)summary->standings[i].score;
  }
  summary->scores = spread_of(scores, count);
}

/* --- items --- */

/* The case that a measured item looks at: lab.conf knows. */
static void list_item_cases(struct gradebook *book, const struct conf *conf) {
  gradebook_run(book, "DROP TABLE IF EXISTS temp.item_case", "");
  gradebook_run(book, "CREATE TEMP TABLE item_case (item TEXT PRIMARY KEY, case_name TEXT)", "");
  for (int i = 0; conf && i < conf->item_count; i++) {
    if (!conf->items[i].case_name) continue;
    gradebook_run(book, "INSERT OR IGNORE INTO temp.item_case VALUES (?1, ?2)", "ss",
                  conf->items[i].id, conf->items[i].case_name);
  }
}

/* Points of a measured item wait for its case to be right, those of a hazard item for any case,
 * unless a hazard has cost them. */
static void read_items(struct gradebook *book, const struct conf *conf, struct summary *summary) {
  list_item_cases(book, conf);
  sqlite3_stmt *rows = gradebook_query(
      book,
      "WITH judged AS (SELECT item.*, CASE class"
      "   WHEN 'correctness' THEN 1"
      "   WHEN 'hazard' THEN EXISTS (SELECT 1 FROM case_run run WHERE run.attempt = item.attempt"
      "       AND run.of = 'submission' AND run.state = 'right')"
      "     OR EXISTS (SELECT 1 FROM hazard WHERE hazard.attempt = item.attempt"
      "       AND NOT hazard.warning AND hazard.kind NOT IN ('wrong', 'build'))"
      "   ELSE value IS NOT NULL OR (SELECT run.state = 'right' FROM case_run run"
      "     JOIN temp.item_case USING (case_name)"
      "     WHERE run.attempt = item.attempt AND run.of = 'submission'"
      "       AND item_case.item = item.item) IS 1"
      "   END OR points > 0 AS looked_at"
      "  FROM item JOIN temp.standing USING (attempt))"
      " SELECT item, title, class, max(hint), max(max), sum(points >= max),"
      "  sum(points > 0 AND points < max) AS part,"
      "  sum(points <= 0 AND max > 0 AND looked_at) AS none,"
      "  sum(points <= 0 AND max > 0 AND NOT looked_at)"
      " FROM judged GROUP BY item ORDER BY part + none DESC, none DESC, min(position)",
      "");
  while (row_next(rows)) {
    *array_add(summary->items, summary->item_count) =
        (struct item_summary){.id = row_copy(rows, 0),
                              .title = row_copy(rows, 1),
                              .class = row_copy(rows, 2),
                              .hint = row_copy(rows, 3),
                              .max = sqlite3_column_int64(rows, 4),
                              .full = sqlite3_column_int(rows, 5),
                              .part = sqlite3_column_int(rows, 6),
                              .none = sqlite3_column_int(rows, 7),
                              .unjudged = sqlite3_column_int(rows, 8)};
  }
}

/* --- hazards --- */

static void read_hazards(struct gradebook *book, struct summary *summary) {
  sqlite3_stmt *rows =
      gradebook_query(book,
                      "WITH worst AS (SELECT attempt, kind, min(warning <> 0) AS warning"
                      "  FROM hazard JOIN temp.standing USING (attempt) WHERE kind <> 'kit'"
                      "  GROUP BY attempt, kind)"
                      " SELECT kind, sum(NOT warning), sum(warning) FROM worst GROUP BY kind"
                      " ORDER BY 2 DESC, 3 DESC, kind",
                      "");
  while (row_next(rows)) {
    *array_add(summary->hazards, summary->hazard_count) =
        (struct hazard_summary){.kind = row_copy(rows, 0),
                                .students = sqlite3_column_int(rows, 1),
                                .warned = sqlite3_column_int(rows, 2)};
  }
}

/* --- ranking --- */

/* Known ones first. */
static int by_number(double a, double b, bool at_least) {
  if (isnan(a) || isnan(b)) return isnan(a) - isnan(b);
  return at_least ? (a < b) - (a > b) : (a > b) - (a < b);
}

static int better(const struct summary *summary, const struct standing *a,
                  const struct standing *b) {
  int order = by_number(a->value, b->value, summary->leaders.at_least);
  if (order) return order;
  if (a->score != b->score) return a->score > b->score ? -1 : 1;
  order = by_number(a->ratio, b->ratio, false);
  if (order) return order;
  order = strcmp(a->pseudonym ? a->pseudonym : "", b->pseudonym ? b->pseudonym : "");
  return order ? order : strcmp(a->student, b->student);
}

static int by_rank(const void *left, const void *right, void *of) {
  const struct summary *summary = of;
  const struct standing *list = summary->standings;
  return better(summary, &list[*(const int *)left], &list[*(const int *)right]);
}

int *summary_ranking(const struct summary *summary, int *count) {
  int *places = xcalloc((size_t)summary->count, sizeof *places);
  *count = 0;
  for (int i = 0; i < summary->count; i++)
    if (summary->standings[i].state == STANDING_GRADED) places[(*count)++] = i;
  qsort_r(places, (size_t)*count, sizeof *places, by_rank, (void *)(uintptr_t)summary);
  return places;
}

int summary_rank(const struct summary *summary, const int *places, int i) {
  const struct standing *own = &summary->standings[places[i]];
  for (; i > 0; i--) {
    const struct standing *before = &summary->standings[places[i - 1]];
    if (by_number(before->value, own->value, true) || before->score != own->score ||
        by_number(before->ratio, own->ratio, true))
      break;
  }
  return i + 1;
}

/* --- the whole --- */

static void read_origin(struct gradebook *book, struct summary *summary) {
  sqlite3_stmt *rows = gradebook_query(
      book,
      "SELECT ifnull(group_concat(DISTINCT seed), ''), ifnull(group_concat(DISTINCT kit_version),"
      " ''), ifnull(max(graded_at), '') FROM attempt JOIN temp.standing ON "
      "attempt.id=standing.attempt",
      "");
  while (row_next(rows)) {
    summary->seeds = row_copy(rows, 0);
    summary->kits = row_copy(rows, 1);
    summary->graded_at = row_copy(rows, 2);
  }
}

void summary_read(struct gradebook *book, const char *lab, const struct conf *conf,
                  struct summary *summary) {
  *summary = (struct summary){.lab = xstrdup(lab),
                              .title = conf ? xstrdup(conf->title) : NULL,
                              .sweep = conf && conf->sweep.case_name};
  if (conf && conf->baseline) summary->baseline = xprintf("%s's solution", conf->baseline);
  read_standings(book, summary);
  mark_standings(book, summary);
  spread_scores(summary);
  read_items(book, conf, summary);
  read_hazards(book, summary);
  summary_progress(book, summary);
  summary_cases(book, conf, summary);
  summary_leaders(book, conf, summary);
  summary_shapes(book, conf, summary);
  read_origin(book, summary);
}

void summary_free(struct summary *summary) {
  for (int i = 0; i < summary->count; i++) {
    struct standing *standing = &summary->standings[i];
    free_all(standing->student, standing->name, standing->section, standing->pseudonym,
             standing->attempt, standing->verdict, standing->reason, standing->scores);
  }
  for (int i = 0; i < summary->item_count; i++) {
    struct item_summary *item = &summary->items[i];
    free_all(item->id, item->title, item->class, item->hint);
  }
  for (int i = 0; i < summary->hazard_count; i++) free(summary->hazards[i].kind);
  for (int i = 0; i < summary->case_count; i++) {
    struct case_summary *shown = &summary->cases[i];
    free_all(shown->name, shown->points, shown->ceiling);
  }
  free_all(summary->leaders.title, summary->leaders.unit, summary->lab, summary->baseline,
           summary->title, summary->standings, summary->items, summary->hazards, summary->device,
           summary->cases, summary->time_kind, summary->shapes, summary->seeds, summary->kits,
           summary->graded_at, summary->shape_case, summary->median_after);
  *summary = (struct summary){0};
}

char **summary_labs(struct gradebook *book, int *count) {
  char **labs = xcalloc(1, sizeof *labs);
  *count = 0;
  sqlite3_stmt *rows =
      gradebook_query(book, "SELECT DISTINCT lab FROM attempt WHERE lab<>'' ORDER BY lab", "");
  while (row_next(rows)) *array_add(labs, *count) = row_copy(rows, 0);
  return labs;
}
