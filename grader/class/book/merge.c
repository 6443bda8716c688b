/* merge.c: writes a grade's JSON into the gradebook, as rows, too, for queries. */
#include "grader/class/book/attempt.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"

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

/* --- rows --- */

#define FIELD(path) ", json_extract(j.value, '$." path "')"
#define NUMBER(path) ", coalesce(json_extract(j.value, '$." path "'), 0)"
#define OF(list) " FROM attempt AS a, json_each(?2, '$." list "') AS j WHERE a.work=?1"

/* ?1: the work, ?2: what lists_of() made of its grade. */
static const char *const inserts[] = {
    "INSERT INTO item SELECT a.id, j.key" FIELD("id") FIELD("title") FIELD("class") NUMBER("points")
        NUMBER("max") FIELD("value") FIELD("reason") FIELD("hint") OF("items"),
    "INSERT INTO hazard SELECT a.id, j.key" FIELD("kind") NUMBER("warning") NUMBER("line")
        NUMBER("other_line") FIELD("kernel") FIELD("array") FIELD("message") NUMBER("count")
            OF("hazards"),
    "INSERT INTO case_run SELECT a.id" FIELD("case") FIELD("of") FIELD("name") FIELD("state")
        FIELD("kind") FIELD("reason") NUMBER("launches") NUMBER("time_ns") OF("cases"),
    "WITH j AS MATERIALIZED (SELECT json_extract(value, '$.case') AS case_name,"
    " json_extract(value, '$.of') AS of, json_extract(value, '$.counters') AS counters"
    " FROM json_each(?2, '$.cases'))"
    " INSERT INTO counter SELECT a.id, j.case_name, j.of, c.key, c.value"
    " FROM attempt AS a, j, json_each(j.counters) AS c WHERE a.work=?1 AND c.value<>0",
    "INSERT INTO launch SELECT a.id, j.key" FIELD("case") FIELD("kernel") NUMBER("grid[0]")
        NUMBER("grid[1]") NUMBER("grid[2]") NUMBER("block[0]") NUMBER("block[1]") NUMBER("block[2]")
            NUMBER("shared_bytes") NUMBER("registers") NUMBER("time_ns") FIELD("time_kind")
                FIELD("bound") NUMBER("line") OF("launches"),
    "INSERT INTO share SELECT a.id" FIELD("case") FIELD("unit") FIELD("reached") FIELD("ceiling")
        FIELD("of") FIELD("percent") OF("shares"),
};

/* The lists whose elements become rows, without what is large and has no column. The caller's. */
static char *lists_of(const json_t *result, bool error) {
  static const char *const names[] = {"items", "hazards", "cases", "launches", "shares"},
                           *const large[] = {"hazards", "traffic", "timeline", "lines", "accesses"};
  json_auto_t *lists = json_object();
  for (size_t n = error; n < sizeof names / sizeof *names; n++) { /* an error costs no points */
    json_t *list = json_array();
    json_t *element;
    size_t i;
    json_array_foreach (json_object_get(result, names[n]), i, element) {
      json_t *row = json_copy(element);
      for (size_t k = 0; k < sizeof large / sizeof *large; k++) json_object_del(row, large[k]);
      json_array_append_new(list, row);
    }
    json_object_set_new(lists, names[n], list);
  }
  return json_dumps(lists, JSON_COMPACT);
}

/* The attempts of a work; and those in whose place they were graded again. */
static const char own[] = "SELECT id FROM attempt WHERE work=?1";
static const char earlier[] =
    "SELECT old.id FROM attempt AS old JOIN attempt AS new ON new.work=?1 AND old.id<>new.id AND"
    " old.submitter=new.submitter AND old.lab=new.lab AND old.sha256=new.sha256 AND"
    " old.number=new.number";

/* Removes the rows of these attempts from a table. */
static void delete_from(struct gradebook *book, const char *table, const char *column,
                        const char *attempts, const char *work) {
  autofree char *sql = xprintf("DELETE FROM %s WHERE %s IN (%s)", table, column, attempts);
  gradebook_run(book, sql, "s", work);
}

/* Removes their measurements. */
static void forget(struct gradebook *book, const char *attempts, const char *work) {
  static const char *const tables[] = {"item", "hazard", "case_run", "counter", "launch", "share"};
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++)
    delete_from(book, tables[i], "attempt", attempts, work);
}

static void forget_earlier(struct gradebook *book, const char *work) {
  forget(book, earlier, work);
  delete_from(book, "attempt", "id", earlier, work);
  if (sqlite3_changes(book->db) > 0)
    gradebook_run(book, "DELETE FROM result WHERE work NOT IN (SELECT work FROM attempt)", "");
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

static char *merge(struct gradebook *book, const char *work, const json_t *result,
                   const char *text) {
  const char *of = string(result, "attempt"), *verdict = string(result, "verdict");
  if (!of || strcmp(of, work) != 0) return xstrdup("it is another attempt's");
  if (!verdict || !json_is_array(json_object_get(result, "items")) ||
      !json_is_array(json_object_get(result, "cases")))
    return xstrdup("it lacks a verdict, items or cases");
  bool error = strcmp(verdict, "error") == 0;
  autofree char *now = gradebook_now(), *lists = lists_of(result, error);
  result_store(book, work, text);
  /* An error costs no points: it has no score. */
  gradebook_run(book,
                "UPDATE attempt SET status=?2, verdict=?3, score=?4, max=?5, reason=?6, seed=?7,"
                " backend=?8, device=?9, sandbox=?10, kit_version=?11, conf_hash=?12,"
                " graded_at=?13, seconds=?14 WHERE work=?1",
                "sssdlslssssssd", work, error ? "error" : "graded", verdict,
                error ? (double)NAN : real(result, "score"), number(result, "max"),
                error ? why_of(result) : NULL, number(result, "seed"), string(result, "backend"),
                string(result, "device"), string(result, "sandbox"), string(result, "kit_version"),
                string(result, "conf_hash"), now, real(result, "seconds"));
  forget(book, own, work);
  for (size_t i = 0; i < sizeof inserts / sizeof *inserts; i++)
    gradebook_run(book, inserts[i], "ss", work, lists);
  if (!error) forget_earlier(book, work);
  return NULL;
}

char *merge_result(struct gradebook *book, const char *work, const json_t *result) {
  autofree char *text = json_dumps(result, JSON_COMPACT);
  return merge(book, work, result, text);
}

char *merge_text(struct gradebook *book, const char *work, const char *text) {
  json_error_t error;
  json_auto_t *result = json_loads(text, JSON_REJECT_DUPLICATES, &error);
  return result ? merge(book, work, result, text)
                : xprintf("its result cannot be read: line %d: %s", error.line, error.text);
}

char *merge_copy(struct gradebook *book, const char *of, const char *work, const char *text) {
  json_auto_t *result = json_loads(text, 0, NULL);
  json_object_set_new(result, "attempt", json_string(work));
  json_object_set_new(result, "graded_with", json_string(of));
  return merge_result(book, work, result);
}

void merge_failure(struct gradebook *book, const char *work, const char *reason) {
  forget(book, own, work);
  gradebook_run(book, "DELETE FROM result WHERE work=?1", "s", work);
  gradebook_run(book,
                "UPDATE attempt SET status='error', verdict='error', score=NULL, reason=?2 "
                "WHERE work=?1",
                "ss", work, reason);
}
