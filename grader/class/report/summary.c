/* summary.c: standings, items and hazards over the class. */
#include "grader/class/report/summary.h"

#include <math.h>
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
  while (gradebook_next(book, rows)) {
    struct standing *standing = array_add(summary->standings, summary->count);
    char *status = row_copy(rows, 4);
    *standing = (struct standing){.student = row_copy(rows, 0),
                                  .name = row_copy(rows, 1),
                                  .section = row_copy(rows, 2),
                                  .pseudonym = row_copy(rows, 3),
                                  .attempt = row_copy(rows, 5),
                                  .verdict = row_copy(rows, 6),
                                  .reason = row_copy(rows, 7),
                                  .score = row_long(rows, 8, 0),
                                  .max = row_long(rows, 9, 0),
                                  .late = row_long(rows, 10, 0),
                                  .attempts = (int)row_long(rows, 11, 0),
                                  .ratio = (double)NAN};
    standing->state = state_of(status, standing->verdict);
    free(status);
    if (standing->late < 0) standing->late = 0;
    summary->states[standing->state]++;
    summary->late += standing->late > 0;
    if (standing->state != STANDING_GRADED) continue;
    if (standing->max > summary->max) summary->max = standing->max;
    summary->full_marks += standing->score >= standing->max;
  }
  sqlite3_finalize(rows);
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
  double *scores = xcalloc((size_t)summary->count, sizeof *scores);
  int count = 0;
  for (int i = 0; i < summary->count; i++) {
    if (summary->standings[i].state == STANDING_GRADED)
      scores[count++] = (double)summary->standings[i].score;
  }
  summary->scores = spread_of(scores, count);
  free(scores);
}

/* --- items --- */

static int by_missed(const void *left, const void *right) {
  const struct item_summary *a = left, *b = right;
  int more = item_missed(b) - item_missed(a);
  return more ? more : b->none - a->none;
}

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
      "  sum(points > 0 AND points < max), sum(points <= 0 AND max > 0 AND looked_at),"
      "  sum(points <= 0 AND max > 0 AND NOT looked_at)"
      " FROM judged GROUP BY item ORDER BY min(position)",
      "");
  while (gradebook_next(book, rows)) {
    *array_add(summary->items, summary->item_count) =
        (struct item_summary){.id = row_copy(rows, 0),
                              .title = row_copy(rows, 1),
                              .class = row_copy(rows, 2),
                              .hint = row_copy(rows, 3),
                              .max = row_long(rows, 4, 0),
                              .full = (int)row_long(rows, 5, 0),
                              .part = (int)row_long(rows, 6, 0),
                              .none = (int)row_long(rows, 7, 0),
                              .unjudged = (int)row_long(rows, 8, 0)};
  }
  sqlite3_finalize(rows);
  /* Of equally often missed ones the order of lab.conf stays: the list is short. */
  for (int i = 1; i < summary->item_count; i++) {
    for (int j = i; j > 0 && by_missed(&summary->items[j - 1], &summary->items[j]) > 0; j--) {
      struct item_summary other = summary->items[j];
      summary->items[j] = summary->items[j - 1];
      summary->items[j - 1] = other;
    }
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
  while (gradebook_next(book, rows)) {
    *array_add(summary->hazards, summary->hazard_count) =
        (struct hazard_summary){.kind = row_copy(rows, 0),
                                .students = (int)row_long(rows, 1, 0),
                                .warned = (int)row_long(rows, 2, 0)};
  }
  sqlite3_finalize(rows);
}

/* --- ranking --- */

static int better(const struct standing *a, const struct standing *b) {
  if (a->score != b->score) return a->score > b->score ? -1 : 1;
  bool known = !isnan(a->ratio), other = !isnan(b->ratio);
  if (known != other) return known ? -1 : 1;
  if (known && a->ratio < b->ratio) return -1;
  if (known && a->ratio > b->ratio) return 1;
  int order = strcmp(a->pseudonym ? a->pseudonym : "", b->pseudonym ? b->pseudonym : "");
  return order ? order : strcmp(a->student, b->student);
}

static int by_rank(const void *left, const void *right, void *standings) {
  const struct standing *list = standings;
  return better(&list[*(const int *)left], &list[*(const int *)right]);
}

int *summary_ranking(const struct summary *summary, int *count) {
  int *places = xcalloc((size_t)summary->count, sizeof *places);
  *count = 0;
  for (int i = 0; i < summary->count; i++) {
    if (summary->standings[i].state == STANDING_GRADED) places[(*count)++] = i;
  }
  qsort_r(places, (size_t)*count, sizeof *places, by_rank, summary->standings);
  return places;
}

int summary_rank(const struct summary *summary, const int *places, int i) {
  const struct standing *own = &summary->standings[places[i]];
  for (; i > 0; i--) {
    const struct standing *before = &summary->standings[places[i - 1]];
    if (before->score != own->score) break;
    if (!(before->ratio == own->ratio || (isnan(before->ratio) && isnan(own->ratio)))) break;
  }
  return i + 1;
}

/* --- the whole --- */

static void read_origin(struct gradebook *book, struct summary *summary) {
  sqlite3_stmt *rows = gradebook_query(
      book,
      "SELECT group_concat(DISTINCT seed), group_concat(DISTINCT kit_version),"
      " max(graded_at) FROM attempt JOIN temp.standing ON attempt.id = standing.attempt",
      "");
  while (gradebook_next(book, rows)) {
    char *const values[] = {row_copy(rows, 0), row_copy(rows, 1), row_copy(rows, 2)};
    summary->seeds = values[0] ? values[0] : xstrdup("");
    summary->kits = values[1] ? values[1] : xstrdup("");
    summary->graded_at = values[2] ? values[2] : xstrdup("");
  }
  sqlite3_finalize(rows);
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
  summary_shapes(book, conf, summary);
  read_origin(book, summary);
}

void summary_free(struct summary *summary) {
  for (int i = 0; i < summary->count; i++) {
    struct standing *standing = &summary->standings[i];
    char *const strings[] = {standing->student,   standing->name,    standing->section,
                             standing->pseudonym, standing->attempt, standing->verdict,
                             standing->reason};
    for (size_t s = 0; s < sizeof strings / sizeof *strings; s++) free(strings[s]);
    free(standing->scores);
  }
  for (int i = 0; i < summary->item_count; i++) {
    free(summary->items[i].id);
    free(summary->items[i].title);
    free(summary->items[i].class);
    free(summary->items[i].hint);
  }
  for (int i = 0; i < summary->hazard_count; i++) free(summary->hazards[i].kind);
  for (int i = 0; i < summary->case_count; i++) {
    free(summary->cases[i].name);
    free(summary->cases[i].points);
    free(summary->cases[i].ceiling);
  }
  void *const lists[] = {summary->lab,       summary->baseline,   summary->title,
                         summary->standings, summary->items,      summary->hazards,
                         summary->device,    summary->cases,      summary->time_kind,
                         summary->shapes,    summary->seeds,      summary->kits,
                         summary->graded_at, summary->shape_case, summary->median_after};
  for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) free(lists[i]);
  *summary = (struct summary){0};
}

char **summary_labs(struct gradebook *book, int *count) {
  char **labs = xcalloc(1, sizeof *labs);
  *count = 0;
  sqlite3_stmt *rows =
      gradebook_query(book, "SELECT DISTINCT lab FROM attempt WHERE lab<>'' ORDER BY lab", "");
  while (gradebook_next(book, rows)) {
    *array_add(labs, *count) = row_copy(rows, 0);
  }
  sqlite3_finalize(rows);
  return labs;
}
