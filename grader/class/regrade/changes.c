/* changes.c: which grades differ between two gradebooks, and why. */
#include "grader/class/regrade/regrade.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"

char *changes_cause(struct gradebook *old, struct gradebook *next) {
  struct text text = {0};
  sqlite3_stmt *rows =
      gradebook_query(next, "SELECT lab, kit_version, conf_hash FROM pin ORDER BY lab", "");
  while (row_next(rows)) {
    const char *lab = row_text(rows, 0), *kit = row_text(rows, 1), *conf = row_text(rows, 2);
    autofree char *old_kit =
                      gradebook_string(old, "SELECT kit_version FROM pin WHERE lab=?1", "s", lab),
                  *old_conf =
                      gradebook_string(old, "SELECT conf_hash FROM pin WHERE lab=?1", "s", lab);
    if (old_conf && strcmp(old_conf, conf) != 0)
      text_add(&text, "%s%s's lab.conf %.8s -> %.8s", text.length ? ", " : "", lab, old_conf, conf);
    if (old_kit && strcmp(old_kit, kit) != 0)
      text_add(&text, "%s%s by kit %s -> %s", text.length ? ", " : "", lab, old_kit, kit);
  }
  return text.data ? text.data : xstrdup("graded again");
}

/* The items that differ: "time 10 -> 5, edges (new) 5". */
static void add_items(struct text *text, struct gradebook *old, struct gradebook *next,
                      const char *before, const char *after) {
  sqlite3_stmt *rows = gradebook_query(
      next, "SELECT item, points || ' of ' || max FROM item WHERE attempt=?1 ORDER BY position",
      "s", after);
  int count = 0;
  while (row_next(rows)) {
    const char *item = row_text(rows, 0), *now = row_text(rows, 1);
    autofree char *had = gradebook_string(
        old, "SELECT points || ' of ' || max FROM item WHERE attempt=?1 AND item=?2", "ss", before,
        item);
    if (had && strcmp(had, now) == 0) continue;
    text_add(text, "%s%s %s%s%s", count++ ? ", " : "", item, had ? had : "(new)",
             had ? " -> " : " ", now);
  }
  rows = gradebook_query(old, "SELECT item, points FROM item WHERE attempt=?1 ORDER BY position",
                         "s", before);
  while (row_next(rows)) {
    const char *item = row_text(rows, 0);
    if (!gradebook_number(next, "SELECT 1 FROM item WHERE attempt=?1 AND item=?2", "ss", after,
                          item))
      text_add(text, "%s%s %d -> (gone)", count++ ? ", " : "", item, sqlite3_column_int(rows, 1));
  }
}

static void print_grade(const char *status, long long score, long long max) {
  if (status && strcmp(status, "graded") == 0)
    printf("%lld of %lld", score, max);
  else
    printf("%s", status ? status : "-");
}

int changes_print(struct gradebook *old, struct gradebook *next) {
  sqlite3_stmt *rows = gradebook_query(
      next,
      "SELECT c.lab, c.student || coalesce(', ' || s.name, ''), c.old_status, c.old_score, "
      "c.old_max, c.status, c.score,"
      " c.max, c.old_attempt, c.attempt FROM change AS c LEFT JOIN student AS s ON s.id=c.student"
      " WHERE c.id>(SELECT CAST(value AS INTEGER) FROM meta WHERE key='preview_after') AND"
      " (c.old_score IS NOT c.score OR c.old_max IS NOT c.max OR c.old_status IS NOT c.status)"
      " ORDER BY c.lab, c.student, c.id",
      "");
  int count = 0;
  for (; row_next(rows); count++) {
    freed_by(text_free) struct text items = {0};
    add_items(&items, old, next, row_text(rows, 8), row_text(rows, 9));
    printf("%s  %s: ", row_text(rows, 0), row_text(rows, 1));
    print_grade(row_text(rows, 2), sqlite3_column_int64(rows, 3), sqlite3_column_int64(rows, 4));
    printf(" -> ");
    print_grade(row_text(rows, 5), sqlite3_column_int64(rows, 6), sqlite3_column_int64(rows, 7));
    printf("%s%s\n", items.length ? ": " : "", text_get(&items));
  }
  return count;
}
