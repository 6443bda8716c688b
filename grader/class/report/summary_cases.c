/* summary_cases.c: times, traffic and ceilings of the shown cases, and the shapes of blocks. */
#include <math.h>
#include <stddef.h>
#include <stdlib.h>

#include "grader/base/text.h"
#include "grader/class/report/summary.h"
#include "grader/lab/metric.h"

/* --- which times can be compared --- */

/* temp.timed(attempt, device, kind): how the times of each standing attempt came about. */
static void list_kinds(struct gradebook *book, struct summary *summary) {
  gradebook_run(book, "DROP TABLE IF EXISTS temp.timed", "");
  gradebook_run(book,
                "CREATE TEMP TABLE timed AS SELECT attempt.id AS attempt,"
                " ifnull(attempt.device, '') AS device,"
                " ifnull((SELECT max(time_kind) FROM launch WHERE launch.attempt = attempt.id),"
                "   CASE attempt.backend WHEN 'gpu' THEN 'measured' ELSE 'modelled' END) AS kind"
                " FROM attempt JOIN temp.standing ON attempt.id = standing.attempt"
                " WHERE EXISTS (SELECT 1 FROM case_run run WHERE run.attempt = attempt.id"
                "   AND run.of = 'submission' AND run.state = 'right' AND run.time_ns > 0)",
                "");
  sqlite3_stmt *rows = gradebook_query(
      book,
      "SELECT device, kind, count(*), (SELECT count(*) FROM temp.timed) FROM temp.timed"
      " GROUP BY device, kind ORDER BY 3 DESC, device, kind LIMIT 1",
      "");
  while (row_next(rows)) {
    summary->device = row_copy(rows, 0);
    summary->time_kind = row_copy(rows, 1);
    summary->other_times = (int)(sqlite3_column_int64(rows, 3) - sqlite3_column_int64(rows, 2));
  }
}

/* --- cases --- */

static double median_of(const struct case_summary *summary, size_t field) {
  autofree double *values = xcalloc((size_t)summary->count, sizeof *values);
  int count = 0;
  for (int i = 0; i < summary->count; i++) {
    double value = *(const double *)((const char *)&summary->points[i] + field);
    if (value > 0) values[count++] = value;
  }
  return spread_of(values, count).median;
}

/* What the solution that points go by moves: the same in all attempts, unless the kit changed. */
static double bytes_of(struct gradebook *book, const char *name, const char *of) {
  double bytes = (double)NAN;
  sqlite3_stmt *rows =
      gradebook_query(book,
                      "SELECT avg(sectors) * 32 FROM (SELECT sum(value) AS sectors FROM counter"
                      "  JOIN temp.timed USING (attempt)"
                      "  WHERE case_name = ?1 AND of = ?2 AND name IN ('global_load_sectors',"
                      "    'global_store_sectors', 'global_atomic_sectors') GROUP BY attempt)",
                      "ss", name, of);
  while (row_next(rows)) bytes = row_double(rows, 0);
  return bytes;
}

static void read_case(struct gradebook *book, const char *name, struct summary *summary) {
  struct case_summary fresh = {.name = xstrdup(name)};
  sqlite3_stmt *rows =
      gradebook_query(book,
                      "SELECT standing.place, run.time_ns, baseline.time_ns, reference.time_ns,"
                      "  share.percent, share.of,"
                      "  (SELECT sum(value) * 32 FROM counter WHERE counter.attempt = run.attempt"
                      "    AND counter.case_name = ?1 AND counter.of = 'submission'"
                      "    AND counter.name IN ('global_load_sectors', 'global_store_sectors',"
                      "      'global_atomic_sectors'))"
                      " FROM temp.standing JOIN temp.timed USING (attempt)"
                      " JOIN case_run run ON run.attempt = standing.attempt AND run.case_name = ?1"
                      "  AND run.of = 'submission' AND run.state = 'right' AND run.time_ns > 0"
                      " LEFT JOIN case_run baseline ON baseline.attempt = run.attempt"
                      "  AND baseline.case_name = ?1 AND baseline.of = 'baseline'"
                      " LEFT JOIN case_run reference ON reference.attempt = run.attempt"
                      "  AND reference.case_name = ?1 AND reference.of = 'reference'"
                      " LEFT JOIN share ON share.attempt = run.attempt AND share.case_name = ?1"
                      " WHERE timed.device = ?2 AND timed.kind = ?3 ORDER BY standing.place",
                      "sss", name, summary->device, summary->time_kind);
  while (row_next(rows)) {
    *array_add(fresh.points, fresh.count) =
        (struct case_point){.standing = sqlite3_column_int(rows, 0),
                            .time_ns = row_double(rows, 1),
                            .baseline_ns = row_double(rows, 2),
                            .reference_ns = row_double(rows, 3),
                            .percent = row_double(rows, 4),
                            .bytes = row_double(rows, 6)};
    if (!fresh.ceiling) fresh.ceiling = row_copy(rows, 5);
  }
  fresh.reference_ns = median_of(&fresh, offsetof(struct case_point, reference_ns));
  fresh.baseline_ns = median_of(&fresh, offsetof(struct case_point, baseline_ns));
  fresh.reference_bytes = bytes_of(book, name, "reference");
  fresh.baseline_bytes = bytes_of(book, name, "baseline");
  /* The work is the same: the reference reaches as much more as it takes less time. */
  autofree double *percents = xcalloc((size_t)fresh.count, sizeof *percents);
  int known = 0;
  for (int i = 0; i < fresh.count; i++) {
    const struct case_point *point = &fresh.points[i];
    double percent = point->percent * point->time_ns / point->reference_ns;
    if (percent > 0 && isfinite(percent)) percents[known++] = percent;
  }
  fresh.reference_percent = spread_of(percents, known).median;
  *array_add(summary->cases, summary->case_count) = fresh;
}

/* Of every student with each shown case right: how many times the reference's time it takes. */
static void find_ratios(struct summary *summary) {
  autofree double *sums = xcalloc((size_t)summary->count, sizeof *sums);
  autofree int *counts = xcalloc((size_t)summary->count, sizeof *counts);
  for (int c = 0; c < summary->case_count; c++) {
    for (int i = 0; i < summary->cases[c].count; i++) {
      const struct case_point *point = &summary->cases[c].points[i];
      if (!(point->reference_ns > 0)) continue;
      sums[point->standing] += log(point->time_ns / point->reference_ns);
      counts[point->standing]++;
    }
  }
  for (int i = 0; i < summary->count; i++) {
    if (counts[i] == summary->case_count && counts[i] > 0)
      summary->standings[i].ratio = exp(sums[i] / counts[i]);
  }
}

void summary_cases(struct gradebook *book, const struct conf *conf, struct summary *summary) {
  list_kinds(book, summary);
  if (!summary->device) return;
  for (int i = 0; conf && i < conf->case_count; i++)
    if (conf->cases[i].show) read_case(book, conf->cases[i].name, summary);
  if (summary->case_count == 0) { /* not a lab of this kit: the timed cases */
    sqlite3_stmt *rows =
        gradebook_query(book,
                        "SELECT case_name FROM share JOIN temp.timed USING (attempt)"
                        " GROUP BY case_name ORDER BY count(*) DESC, case_name LIMIT ?1",
                        "i", (int)MAX_SHOWN);
    while (row_next(rows)) read_case(book, row_text(rows, 0), summary);
  }
  find_ratios(summary);
}

/* --- the leaderboard --- */

void summary_leaders(struct gradebook *book, const struct conf *conf, struct summary *summary) {
  int index = conf && conf->leaders ? conf_item(conf, conf->leaders) : -1, known = 0;
  if (index < 0 || !summary->device) return;
  const struct item_conf *item = &conf->items[index];
  sqlite3_stmt *rows = gradebook_query(
      book,
      "SELECT standing.place, item.value FROM item JOIN temp.standing USING (attempt)"
      " JOIN temp.timed USING (attempt)"
      " WHERE item.item = ?1 AND item.value IS NOT NULL AND timed.device = ?2 AND timed.kind = ?3"
      " AND NOT EXISTS (SELECT 1 FROM hazard WHERE hazard.attempt = item.attempt"
      "   AND NOT hazard.warning)",
      "sss", item->id, summary->device, summary->time_kind);
  while (row_next(rows)) {
    summary->standings[sqlite3_column_int(rows, 0)].value = row_double(rows, 1);
    known++;
  }
  if (known == 0) return;
  summary->leaders = (struct leaders){.title = xstrdup(item->title),
                                      .unit = xstrdup(metric_find(item->metric)->unit),
                                      .at_least = item->full.at_least};
}

/* --- shapes of blocks --- */

/* The case of the sweep, else the shown one with the most runs. */
static const char *find_shape_case(const struct conf *conf, const struct summary *summary) {
  const struct case_summary *best = NULL;
  if (conf && conf->sweep.case_name) return conf->sweep.case_name;
  for (int i = 0; i < summary->case_count; i++)
    if (!best || summary->cases[i].count > best->count) best = &summary->cases[i];
  return best ? best->name : NULL;
}

void summary_shapes(struct gradebook *book, const struct conf *conf, struct summary *summary) {
  const char *name = find_shape_case(conf, summary);
  if (!name) return;
  summary->shape_case = xstrdup(name);
  sqlite3_stmt *rows = gradebook_query(
      book,
      "WITH longest AS (SELECT launch.*, row_number() OVER (PARTITION BY launch.attempt"
      "    ORDER BY time_ns DESC, position) AS place"
      "  FROM launch JOIN temp.standing USING (attempt) WHERE case_name = ?1)"
      " SELECT block_x, block_y, block_z, CASE WHEN run.state = 'right'"
      "   AND timed.device = ?2 AND timed.kind = ?3 THEN run.time_ns END"
      " FROM longest"
      " LEFT JOIN case_run run ON run.attempt = longest.attempt AND run.case_name = ?1"
      "  AND run.of = 'submission'"
      " LEFT JOIN temp.timed ON timed.attempt = longest.attempt"
      " WHERE longest.place = 1 ORDER BY 1, 2, 3, 4",
      "sss", summary->shape_case, summary->device, summary->time_kind);
  autofree double *times = NULL;
  int time_count = 0;
  while (row_next(rows)) {
    long x = sqlite3_column_int64(rows, 0), y = sqlite3_column_int64(rows, 1),
         z = sqlite3_column_int64(rows, 2);
    double time_ns = row_double(rows, 3);
    struct shape_summary *last =
        summary->shape_count ? &summary->shapes[summary->shape_count - 1] : NULL;
    if (!last || last->x != x || last->y != y || last->z != z) {
      last = array_add(summary->shapes, summary->shape_count);
      *last = (struct shape_summary){.x = x, .y = y, .z = z, .time_ns = (double)NAN};
      time_count = 0;
    }
    last->students++;
    if (!(time_ns > 0)) continue;
    *array_add(times, time_count) = time_ns;
    last->time_ns = spread_of(times, time_count).median; /* they come in order */
  }
}
