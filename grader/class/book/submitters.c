/* submitters.c: records who handed in, and finds out which students those are. */
#include "grader/class/book/submitters.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "grader/class/people/names.h"

static const char *const match_names[] = {NULL, "identity", "case", "name"};

static const char *kind_name(enum identity_kind kind) {
  return kind < IDENTITY_KINDS ? identity_names[kind] : "submission";
}

/* --- what is known --- */

/* A number of Moodle's may be a participant's in one assignment and a group's in another: the name
 * tells them apart. */
static char *key_of(const struct submitter *submitter, const char *value) {
  struct name_keys name = {0};
  if (submitter->kind == IDENTITY_MOODLE) name = name_keys_make(submitter->name);
  char *key = xprintf("%s:%s%s%s", kind_name(submitter->kind), value, name.count ? ":" : "",
                      name.count ? name.keys[0] : "");
  name_keys_free(&name);
  return key;
}

char *submitter_add(struct gradebook *book, const struct submitter *submitter) {
  autofree char *value = identity_clean(submitter->value), *name = gradebook_text(submitter->name),
                *email = gradebook_text(submitter->email), *sid = gradebook_text(submitter->sid);
  char *key = key_of(submitter, value);
  gradebook_run(book,
                "INSERT INTO submitter(key, kind, value, name, email, sid, clone, scope)"
                " VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT(key) DO UPDATE SET"
                " name=coalesce(?4, name), email=coalesce(?5, email), sid=coalesce(?6, sid),"
                " clone=?7, scope=?8",
                "ssssssis", key, kind_name(submitter->kind), value, name, email, sid,
                (int)submitter->clone, submitter->scope);
  return key;
}

void submitter_free(struct submitter *submitter) {
  free_all(submitter->value, submitter->name, submitter->email, submitter->sid);
}

/* --- who it is --- */

/* Students of the roster: or all. */
static struct people read_people(struct gradebook *book, bool all) {
  struct people people = {0};
  sqlite3_stmt *rows = gradebook_query(
      book,
      "SELECT s.id, s.name, i.kind, i.value, i.origin, i.name FROM student AS s"
      " LEFT JOIN (SELECT kind, value, student, ?2 AS origin, NULL AS name FROM identifier"
      "  UNION ALL SELECT kind, value, student, ?4, name FROM submitter WHERE ?1"
      "  UNION ALL SELECT kind, student, student, ?3, NULL FROM submitter"
      "   WHERE ?1 AND clone AND match IS NULL"
      "  UNION ALL SELECT 'email', email, student, ?3, name FROM submitter"
      "   WHERE ?1 AND email IS NOT NULL"
      "  UNION ALL SELECT 'id', sid, student, ?3, name FROM submitter"
      "   WHERE ?1 AND sid IS NOT NULL) AS i"
      " ON i.student=s.id WHERE s.listed OR ?1 ORDER BY s.id, i.kind, i.value, i.name",
      "iiii", (int)all, (int)ORIGIN_ROSTER, (int)ORIGIN_PLATFORM, (int)ORIGIN_SUBMISSION);
  struct person *person = NULL;
  while (row_next(rows)) {
    if (!person || strcmp(person->id, row_text(rows, 0)) != 0)
      person = people_add(&people, row_text(rows, 0), row_text(rows, 1));
    enum identity_kind kind = row_text(rows, 2) ? identity_find(row_text(rows, 2)) : IDENTITY_KINDS;
    if (kind < IDENTITY_KINDS)
      person_identify(person, &(struct identity){kind, (char *)row_text(rows, 3),
                                                 (enum identity_origin)sqlite3_column_int(rows, 4),
                                                 (char *)row_text(rows, 5)});
  }
  people_index(&people);
  return people;
}

struct people submitters_people(struct gradebook *book) {
  return read_people(book, true);
}

/* A submitter, and who that is so far. */
struct known {
  char *key, *value, *student, *name, *sid, *scope; /* NULL: not known */
};

struct submitters {
  struct mention *mentions;
  struct known *list;
  int count;
};

static struct submitters read_submitters(struct gradebook *book) {
  size_t size = (size_t)gradebook_number(book, "SELECT count(*) FROM submitter", "") + 1;
  struct submitters all = {xcalloc(size, sizeof *all.mentions), xcalloc(size, sizeof *all.list), 0};
  sqlite3_stmt *rows = gradebook_query(
      book,
      "SELECT key, value, student, name, sid, scope, kind, email, clone FROM submitter"
      " WHERE kind<>'earlier' ORDER BY key",
      "");
  for (; row_next(rows); all.count++) {
    struct known *known = &all.list[all.count];
    struct mention *mention = &all.mentions[all.count];
    enum identity_kind kind = identity_find(row_text(rows, 6));
    *known = (struct known){row_copy(rows, 0), row_copy(rows, 1), row_copy(rows, 2),
                            row_copy(rows, 3), row_copy(rows, 4), row_copy(rows, 5)};
    *mention = (struct mention){.name = known->name,
                                .handed_in = true,
                                .clone = sqlite3_column_int(rows, 8) != 0,
                                .scope = known->scope};
    if (kind < IDENTITY_KINDS) mention_identify(mention, kind, known->value);
    mention_identify(mention, IDENTITY_EMAIL, row_text(rows, 7));
    mention_identify(mention, IDENTITY_ID, known->sid);
  }
  return all;
}

static void free_submitters(struct submitters *all) {
  for (int i = 0; i < all->count; i++) {
    struct known *known = &all->list[i];
    mention_free(&all->mentions[i]);
    free_all(known->key, known->value, known->student, known->name, known->sid, known->scope);
  }
  free_all(all->mentions, all->list);
}

/* --- students of their own --- */

/* May the submitter be the student of this id? Nobody of the roster, nor of another submitter,
 * unless both are folders of the same name ("lab1-ada", "lab2-ada"), or it is known from a
 * gradebook of an earlier kit, which did not know submitters. */
static bool is_free(struct gradebook *book, const char *id, const char *key) {
  bool folder = strncmp(key, "folder:", 7) == 0;
  return !gradebook_number(book, "SELECT 1 FROM student WHERE id=?1 AND listed", "s", id) &&
         !gradebook_number(book,
                           "SELECT 1 FROM submitter WHERE student=?1 AND key<>?2 AND"
                           " kind<>'earlier' AND NOT (?3 AND kind='folder') LIMIT 1",
                           "ssi", id, key, (int)folder);
}

/* The id of the submitter's own student; the caller's. */
static char *own_student(struct gradebook *book, const struct known *known, bool clone) {
  const char *key = known->key, *value = known->value;
  int kind = (int)strcspn(key, ":");
  const char *shorter = clone ? names_account(value) : value;
  if (known->sid && is_free(book, known->sid, key)) return xstrdup(known->sid);
  if (is_free(book, shorter, key)) return xstrdup(shorter);
  char *whole = xprintf("%.*s %s", kind, key, value);
  for (int other = 2; !is_free(book, whole, key); other++) {
    free(whole);
    whole = xprintf("%.*s %s (%d)", kind, key, value, other);
  }
  return whole;
}

/* Is the student that the submitter has now one of their own? */
static bool has_own(struct gradebook *book, const struct known *known) {
  return known->student && is_free(book, known->student, known->key) &&
         gradebook_number(book, "SELECT match IS NULL FROM submitter WHERE key=?1", "s",
                          known->key);
}

/* --- attempts follow --- */

/* Behind what the student has, in their order. */
static void move_attempts(struct gradebook *book, const char *key, const char *student) {
  gradebook_run(book,
                "UPDATE attempt SET student=?2, counts=0, number=number+coalesce((SELECT"
                " max(number) FROM attempt AS a WHERE a.student=?2 AND a.lab=attempt.lab), 0)"
                " WHERE submitter=?1 AND student<>?2",
                "ss", key, student);
}

/* From 1 again, for whom some have gone. */
static void number_attempts(struct gradebook *book) {
  gradebook_run(book,
                "UPDATE attempt SET number=ranked.place FROM (SELECT id, dense_rank() OVER"
                " (PARTITION BY student, lab ORDER BY number) AS place FROM attempt) AS ranked"
                " WHERE ranked.id=attempt.id AND ranked.place<>attempt.number",
                "");
}

void submitters_resolve(struct gradebook *book) {
  struct people listed = read_people(book, false);
  struct submitters all = read_submitters(book);
  people_match(&listed, all.mentions, all.count);
  bool moved = false;
  for (int i = 0; i < all.count; i++) {
    const struct mention *mention = &all.mentions[i];
    const struct known *known = &all.list[i];
    autofree char *student = mention->person >= 0   ? xstrdup(listed.list[mention->person].id)
                             : has_own(book, known) ? xstrdup(known->student)
                                                    : own_student(book, known, mention->clone);
    gradebook_run(book, "UPDATE submitter SET student=?2, match=?3, why=?4 WHERE key=?1", "ssss",
                  known->key, student, match_names[mention->match], mention->why);
    if (mention->person < 0)
      gradebook_run(book,
                    "INSERT INTO student(id, name, email) SELECT ?2, name, email FROM submitter"
                    " WHERE key=?1 ON CONFLICT(id) DO UPDATE SET name=excluded.name,"
                    " email=excluded.email WHERE excluded.name IS NOT NULL AND NOT listed",
                    "ss", known->key, student);
    if (known->student && strcmp(known->student, student) != 0) {
      move_attempts(book, known->key, student);
      moved = true;
    }
  }
  if (moved) number_attempts(book);
  gradebook_run(book,
                "DELETE FROM student WHERE NOT listed AND id NOT IN (SELECT student FROM attempt)"
                " AND id NOT IN (SELECT student FROM submitter WHERE student IS NOT NULL)",
                "");
  free_submitters(&all);
  people_free(&listed);
}
