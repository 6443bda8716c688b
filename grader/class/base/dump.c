/* dump.c: prints a gradebook as text: a table's name and a row's columns a line, tab-separated. */
#include "grader/class/base/gradebook.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"

static void print_value(FILE *file, const char *value) {
  for (; *value; value++) {
    if (*value == '\t' || *value == '\n' || *value == '\\')
      fprintf(file, "\\%c", *value == '\t' ? 't' : *value == '\n' ? 'n' : '\\');
    else
      fputc(*value, file);
  }
}

/* A grade without the time that it took. */
static char *without_seconds(const char *value) {
  json_t *json = json_loads(value, 0, NULL);
  if (!json) return xstrdup(value);
  json_object_del(json, "seconds");
  char *text = json_dumps(json, JSON_COMPACT);
  json_decref(json);
  return text;
}

void gradebook_dump(struct gradebook *book, FILE *file) {
  static const struct {
    const char *name, *sql;
  } tables[] = {
      {"meta", "SELECT key, value FROM meta WHERE key<>'pseudonym_key' ORDER BY key"},
      {"student", "SELECT id, name, email, section, listed FROM student ORDER BY id"},
      {"identifier", "SELECT kind, value, student FROM identifier ORDER BY kind, value, student"},
      {"submitter", "SELECT * FROM submitter ORDER BY key"},
      {"attempt",
       "SELECT id, student, submitter, work, lab, number, submitted, late, marked_late, file, "
       "sha256, status,"
       " counts, verdict, score, max, reason, seed, backend, device, sandbox, kit_version, "
       "conf_hash"
       " FROM attempt ORDER BY id"},
      {"item", "SELECT * FROM item ORDER BY attempt, position"},
      {"hazard", "SELECT * FROM hazard ORDER BY attempt, position"},
      {"case_run", "SELECT * FROM case_run ORDER BY attempt, case_name, of"},
      {"counter", "SELECT * FROM counter ORDER BY attempt, case_name, of, name"},
      {"launch", "SELECT * FROM launch ORDER BY attempt, position"},
      {"standing", "SELECT * FROM standing ORDER BY student, lab"},
      {"pin", "SELECT lab, kit_version, conf_hash, conf, hidden FROM pin ORDER BY lab"},
      {"share", "SELECT * FROM share ORDER BY attempt, case_name"},
      {"result", "SELECT work, json FROM result ORDER BY work"},
  };
  for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
    sqlite3_stmt *rows = gradebook_query(book, tables[i].sql, "");
    while (row_next(rows)) {
      fputs(tables[i].name, file);
      for (int c = 0; c < sqlite3_column_count(rows); c++) {
        bool json = strcmp(tables[i].name, "result") == 0 && c == 1;
        autofree char *own = json ? result_column(rows, c) : NULL,
                      *bare = own ? without_seconds(own) : NULL;
        const char *value = json ? bare : row_text(rows, c);
        fputc('\t', file);
        print_value(file, value ? value : "\\N");
      }
      fputc('\n', file);
    }
  }
}
