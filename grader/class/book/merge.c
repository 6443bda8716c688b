/* merge.c: writes a grade's JSON into the gradebook, as rows, too, for queries. */
#include "grader/class/book/merge.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "grader/class/base/gradebook.h"

static const char *string(const json_t *object, const char *key) {
  return json_string_value(json_object_get(object, key));
}

static long long number(const json_t *object, const char *key) {
  return (long long)json_number_value(json_object_get(object, key));
}

static double real(const json_t *object, const char *key) {
  const json_t *value = json_object_get(object, key);
  return json_is_number(value) ? json_number_value(value) : (double)NAN;
}

void merge_forget(struct gradebook *book, const char *attempt, bool wholly) {
  static const char *const tables[] = {"item", "hazard", "case_run", "counter", "launch", "share"};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    char *sql = xprintf("DELETE FROM %s WHERE attempt=?1", tables[i]);
    gradebook_run(book, sql, "s", attempt);
    free(sql);
  }
  if (!wholly) return;
  char *work = gradebook_string(book, "SELECT work FROM attempt WHERE id=?1", "s", attempt);
  gradebook_run(book, "DELETE FROM attempt WHERE id=?1", "s", attempt);
  gradebook_run(book,
                "DELETE FROM result WHERE work=?1 AND"
                " NOT EXISTS (SELECT 1 FROM attempt WHERE work=?1)",
                "s", work);
  free(work);
}

static void merge_items(struct gradebook *book, const char *attempt, const json_t *list) {
  size_t i;
  const json_t *item;
  json_array_foreach (list, i, item)
    gradebook_run(book, "INSERT INTO item VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)",
                  "sisssllds"
                  "s",
                  attempt, (int)i, string(item, "id"), string(item, "title"), string(item, "class"),
                  number(item, "points"), number(item, "max"), real(item, "value"),
                  string(item, "reason"), string(item, "hint"));
}

static void merge_hazards(struct gradebook *book, const char *attempt, const json_t *list) {
  size_t i;
  const json_t *hazard;
  json_array_foreach (list, i, hazard)
    gradebook_run(book, "INSERT INTO hazard VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10)", "sisillsssl",
                  attempt, (int)i, string(hazard, "kind"),
                  (int)json_is_true(json_object_get(hazard, "warning")), number(hazard, "line"),
                  number(hazard, "other_line"), string(hazard, "kernel"), string(hazard, "array"),
                  string(hazard, "message"), number(hazard, "count"));
}

static void merge_cases(struct gradebook *book, const char *attempt, const json_t *list) {
  size_t i;
  const json_t *entry, *value;
  sqlite3_stmt *add = gradebook_query(book, "INSERT INTO counter VALUES(?1,?2,?3,?4,?5)", "");
  json_array_foreach (list, i, entry) {
    const char *name = string(entry, "case"), *of = string(entry, "of"), *counter;
    gradebook_run(book, "INSERT INTO case_run VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9)", "sssssssll",
                  attempt, name, of, string(entry, "name"), string(entry, "state"),
                  string(entry, "kind"), string(entry, "reason"), number(entry, "launches"),
                  number(entry, "time_ns"));
    json_object_foreach ((json_t *)(uintptr_t)json_object_get(entry, "counters"), counter, value) {
      if (json_integer_value(value) == 0) continue;
      sqlite3_reset(add);
      sqlite3_bind_text(add, 1, attempt, -1, SQLITE_STATIC);
      sqlite3_bind_text(add, 2, name, -1, SQLITE_STATIC);
      sqlite3_bind_text(add, 3, of, -1, SQLITE_STATIC);
      sqlite3_bind_text(add, 4, counter, -1, SQLITE_STATIC);
      sqlite3_bind_int64(add, 5, json_integer_value(value));
      gradebook_next(book, add);
    }
  }
  sqlite3_finalize(add);
}

static long long at(const json_t *object, const char *key, size_t i) {
  return (long long)json_integer_value(json_array_get(json_object_get(object, key), i));
}

static void merge_launches(struct gradebook *book, const char *attempt, const json_t *list) {
  size_t i;
  const json_t *launch;
  json_array_foreach (list, i, launch)
    gradebook_run(
        book, "INSERT INTO launch VALUES(?1,?2,?3,?4,?5,?6,?7,?8,?9,?10,?11,?12,?13,?14,?15,?16)",
        "sisslllllllllssl", attempt, (int)i, string(launch, "case"), string(launch, "kernel"),
        at(launch, "grid", 0), at(launch, "grid", 1), at(launch, "grid", 2), at(launch, "block", 0),
        at(launch, "block", 1), at(launch, "block", 2), number(launch, "shared_bytes"),
        number(launch, "registers"), number(launch, "time_ns"), string(launch, "time_kind"),
        string(launch, "bound"), number(launch, "line"));
}

static void merge_shares(struct gradebook *book, const char *attempt, const json_t *list) {
  size_t i;
  const json_t *share;
  json_array_foreach (list, i, share)
    gradebook_run(book, "INSERT INTO share VALUES(?1,?2,?3,?4,?5,?6,?7)", "sssddsd", attempt,
                  string(share, "case"), string(share, "unit"), real(share, "reached"),
                  real(share, "ceiling"), string(share, "of"), real(share, "percent"));
}

/* Of verdict "error": the reason is in the kit's own hazard. */
static const char *why_of(const json_t *result) {
  size_t i;
  const json_t *hazard;
  json_array_foreach (json_object_get(result, "hazards"), i, hazard) {
    const char *kind = string(hazard, "kind");
    if (kind && strcmp(kind, "kit") == 0) return string(hazard, "message");
  }
  return "the kit or the machine failed";
}

/* The attempts of a work, one a line; the caller's. */
static char *attempts_of(struct gradebook *book, const char *work) {
  char *list = gradebook_string(
      book, "SELECT group_concat(id, char(10)) FROM attempt WHERE work=?1", "s", work);
  return list ? list : xstrdup("");
}

/* Removes what an attempt was graded again in place of. */
static void forget_earlier(struct gradebook *book, const char *attempt) {
  char *list =
      gradebook_string(book,
                       "SELECT group_concat(old.id, char(10)) FROM attempt AS old JOIN attempt AS "
                       "new ON new.id=?1 AND"
                       " old.id<>new.id AND old.submitter=new.submitter AND old.lab=new.lab AND"
                       " old.sha256=new.sha256 AND old.number=new.number",
                       "s", attempt);
  char *rest = list, *id;
  while ((id = strsep(&rest, "\n")) != NULL) merge_forget(book, id, true);
  free(list);
}

static void merge_one(struct gradebook *book, const char *attempt, const json_t *result) {
  const char *verdict = string(result, "verdict");
  bool error = strcmp(verdict, "error") == 0;
  merge_forget(book, attempt, false);
  char *now = gradebook_now();
  /* An error costs no points: it has no score. */
  gradebook_run(book,
                "UPDATE attempt SET status=?2, verdict=?3, score=?4, max=?5, reason=?6, seed=?7,"
                " backend=?8, device=?9, sandbox=?10, kit_version=?11, conf_hash=?12,"
                " graded_at=?13, seconds=?14 WHERE id=?1",
                "sssdlslssssssd", attempt, error ? "error" : "graded", verdict,
                error ? (double)NAN : real(result, "score"), number(result, "max"),
                error ? why_of(result) : NULL, number(result, "seed"), string(result, "backend"),
                string(result, "device"), string(result, "sandbox"), string(result, "kit_version"),
                string(result, "conf_hash"), now, real(result, "seconds"));
  if (!error) merge_items(book, attempt, json_object_get(result, "items"));
  merge_hazards(book, attempt, json_object_get(result, "hazards"));
  merge_cases(book, attempt, json_object_get(result, "cases"));
  merge_launches(book, attempt, json_object_get(result, "launches"));
  merge_shares(book, attempt, json_object_get(result, "shares"));
  if (!error) forget_earlier(book, attempt);
  free(now);
}

static char *merge(struct gradebook *book, const char *work, const json_t *result,
                   const char *text) {
  const char *of = string(result, "attempt");
  if (!of || strcmp(of, work) != 0) return xstrdup("it is another attempt's");
  if (!string(result, "verdict") || !json_is_array(json_object_get(result, "items")) ||
      !json_is_array(json_object_get(result, "cases")))
    return xstrdup("it lacks a verdict, items or cases");
  char *list = attempts_of(book, work), *rest = list, *attempt;
  result_store(book, work, text);
  while ((attempt = strsep(&rest, "\n")) != NULL)
    if (*attempt) merge_one(book, attempt, result);
  free(list);
  return NULL;
}

char *merge_result(struct gradebook *book, const char *work, const json_t *result) {
  char *text = json_dumps(result, JSON_COMPACT), *wrong = merge(book, work, result, text);
  free(text);
  return wrong;
}

char *merge_text(struct gradebook *book, const char *work, const char *text) {
  json_error_t error;
  json_t *result = json_loads(text, JSON_REJECT_DUPLICATES, &error);
  char *wrong = result ? merge(book, work, result, text)
                       : xprintf("its result cannot be read: line %d: %s", error.line, error.text);
  json_decref(result);
  return wrong;
}

void merge_failure(struct gradebook *book, const char *work, const char *reason) {
  char *list = attempts_of(book, work), *rest = list, *attempt;
  while ((attempt = strsep(&rest, "\n")) != NULL) merge_forget(book, attempt, false);
  gradebook_run(book, "DELETE FROM result WHERE work=?1", "s", work);
  gradebook_run(book,
                "UPDATE attempt SET status='error', verdict='error', score=NULL, reason=?2 "
                "WHERE work=?1",
                "ss", work, reason);
  free(list);
}
