/* submitters_report.c: reports who was matched by less than a number, who with nobody, and who is
 * not on the roster. */
#include <stdlib.h>
#include <string.h>

#include "grader/base/file.h"
#include "grader/base/text.h"
#include "grader/class/book/submitters.h"

static void write_list(struct class *class) {
  freed_by(text_free) struct text text = {0};
  text_add(&text, "platform\tvalue\tname\tstudent\tmatched_by\twhy_not\n");
  sqlite3_stmt *rows = gradebook_query(
      class->book,
      "SELECT kind, value, coalesce(name, ''), coalesce(student, ''), coalesce(match, ''),"
      " coalesce(why, '') FROM submitter ORDER BY key",
      "");
  while (row_next(rows))
    for (int i = 0; i < 6; i++) text_add(&text, "%s%s", row_text(rows, i), i < 5 ? "\t" : "\n");
  autofree char *path = class_path(class, "people.tsv");
  file_write(path, text_get(&text), text.length);
}

static void report_matches(struct class *class) {
  sqlite3_stmt *rows = gradebook_query(
      class->book,
      "SELECT u.kind || ' ' || u.value || coalesce(' (' || u.name || ')', ''), u.why,"
      " s.id || coalesce(', ' || s.name, '') FROM submitter AS u"
      " JOIN student AS s ON s.id=u.student WHERE u.match='case' OR u.why IS NOT NULL"
      " ORDER BY u.why IS NULL, u.key",
      "");
  while (row_next(rows)) {
    const char *who = row_text(rows, 0), *why = row_text(rows, 1);
    if (why)
      class_note(class, "%s is matched with nobody: %s", who, why);
    else
      class_note(class,
                 "%s is taken for %s: they differ only in capitals or in how accents are written",
                 who, row_text(rows, 2));
  }
  long long named =
      gradebook_number(class->book, "SELECT count(*) FROM submitter WHERE match='name'", "");
  if (named)
    class_note(class, "%lld matched with the roster by name only: %s/people.tsv lists them", named,
               class->state);
}

/* Students of their own who might be taken for one. */
struct alike {
  char *key; /* what is alike */
  char *id;
  bool name;
};

static int by_alike(const void *a, const void *b) {
  const struct alike *x = a, *y = b;
  if (x->name != y->name) return x->name - y->name;
  int difference = strcmp(x->key, y->key);
  return difference ? difference : strcmp(x->id, y->id);
}

static void report_alike(struct class *class) {
  autofree struct alike *list = NULL;
  int count = 0;
  sqlite3_stmt *rows =
      gradebook_query(class->book, "SELECT id, name FROM student WHERE NOT listed ORDER BY id", "");
  while (row_next(rows)) {
    *array_add(list, count) =
        (struct alike){identity_fold(row_text(rows, 0)), row_copy(rows, 0), false};
    struct name_keys keys = name_keys_make(row_text(rows, 1));
    if (keys.count)
      *array_add(list, count) = (struct alike){xstrdup(keys.keys[0]), row_copy(rows, 0), true};
    name_keys_free(&keys);
  }
  array_sort(list, count, by_alike);
  for (int i = 1; i < count; i++) {
    if (list[i].name != list[i - 1].name || strcmp(list[i].key, list[i - 1].key) != 0) continue;
    class_note(class, "%s and %s are two students: %s", list[i - 1].id, list[i].id,
               list[i].name ? "they only share a name"
                            : "they differ in capitals or in how accents are written");
  }
  for (int i = 0; i < count; i++) free_all(list[i].key, list[i].id);
}

/* Of a class with a roster: who is not in it, and how many of it handed in nothing. */
static void report_roster(struct class *class) {
  if (!gradebook_number(class->book, "SELECT 1 FROM student WHERE listed LIMIT 1", "")) return;
  sqlite3_stmt *rows = gradebook_query(
      class->book,
      "SELECT id || coalesce(', ' || name, '') FROM student WHERE NOT listed AND id IN"
      " (SELECT student FROM attempt) ORDER BY id",
      "");
  while (row_next(rows)) class_note(class, "not in the roster, but graded: %s", row_text(rows, 0));
  long long without = gradebook_number(
      class->book,
      "SELECT count(*) FROM student WHERE listed AND id NOT IN (SELECT student FROM attempt)", "");
  if (without) class_note(class, "%lld of the roster handed in nothing", without);
}

void submitters_report(struct class *class) {
  write_list(class);
  report_matches(class);
  report_alike(class);
  report_roster(class);
}
