/* export_jsonl.c: every attempt as a line:
 *
 *   {"student", "name", "email", "section", "lab", "attempt", "number", "counts", "submitted",
 *    "late" (seconds), "file", "status":"graded|error|refused|pending", "reason",
 *    "grade": what ./grade LAB --json writes, or null} */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/file.h"
#include "grader/class/base/gradebook.h"
#include "grader/class/export/export.h"

static json_t *column(sqlite3_stmt *rows, int i) {
  const char *value = row_text(rows, i);
  return value ? json_string(value) : json_null();
}

/* Where the accesses went is only for pictures, and most of the bytes. */
static json_t *grade_of(sqlite3_stmt *rows, int i) {
  autofree char *text = result_column(rows, i);
  json_t *json = text ? json_loads(text, 0, NULL) : NULL, *launch;
  size_t l;
  json_array_foreach (json_object_get(json, "launches"), l, launch)
    json_object_del(launch, "accesses");
  return json ? json : json_null();
}

void export_jsonl(struct class *class, const char *path) {
  sqlite3_stmt *rows = gradebook_query(
      class->book,
      "SELECT a.student, s.name, s.email, s.section, a.lab, a.id, a.submitted, a.file, a.status,"
      " a.reason, r.json, a.number, a.counts, a.late FROM attempt AS a"
      " LEFT JOIN student AS s ON s.id=a.student LEFT JOIN result AS r ON r.work=a.work"
      " ORDER BY a.lab, a.student, a.number",
      "");
  bool to_stdout = strcmp(path, "-") == 0;
  struct new_file made = {.stream = stdout};
  if (!to_stdout && !file_create(&made, path)) die("%s: %s", path, strerror(errno));
  int count = 0;
  while (row_next(rows)) {
    json_t *line =
        json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:i, s:b, s:o, s:I, s:o, s:o, s:o, s:o}",
                  "student", column(rows, 0), "name", column(rows, 1), "email", column(rows, 2),
                  "section", column(rows, 3), "lab", column(rows, 4), "attempt", column(rows, 5),
                  "number", sqlite3_column_int(rows, 11), "counts", sqlite3_column_int(rows, 12),
                  "submitted", column(rows, 6), "late", (json_int_t)sqlite3_column_int64(rows, 13),
                  "file", column(rows, 7), "status", column(rows, 8), "reason", column(rows, 9),
                  "grade", grade_of(rows, 10));
    json_dumpf(line, made.stream, JSON_COMPACT);
    fputc('\n', made.stream);
    json_decref(line);
    count++;
  }
  if (to_stdout) {
    if (fflush(stdout) != 0 || ferror(stdout)) die("cannot write to stdout: %s", strerror(errno));
    return;
  }
  if (!file_commit(&made)) die("%s: %s", path, strerror(errno));
  class_note(class, "%s: %d attempts", path, count);
}
