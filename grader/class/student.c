/* student.c: see student.h. An identifier is an alias as it is, in lower case; e-mail addresses
 * and names have words before them, so that somebody named "1234" is nobody's number. */
#include "student.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "names.h"
#include "text.h"

static bool given(const char *value) { return value && *value; }

static char *alias_of(const char *kind, const char *value) {
  struct text text = {0};
  text_add(&text, "%s", kind);
  while (isspace((unsigned char)*value)) value++;
  size_t length = strlen(value);
  while (length && isspace((unsigned char)value[length - 1])) length--;
  text_append(&text, value, length);
  for (char *at = text.data; *at; at++) *at = (char)tolower((unsigned char)*at);
  return text.data;
}

enum { ALIASES = 12 };

/* All aliases of a student, the surest first. */
static int aliases_of(const struct student *student, char *aliases[ALIASES]) {
  int count = 0;
  if (given(student->id)) aliases[count++] = alias_of("id:", student->id);
  for (int i = 0; i < 4; i++)
    if (given(student->also[i])) aliases[count++] = alias_of("id:", student->also[i]);
  if (given(student->email)) aliases[count++] = alias_of("email:", student->email);
  /* A login or an id may be the address, and the other way round. */
  if (given(student->id) && strchr(student->id, '@'))
    aliases[count++] = alias_of("email:", student->id);
  if (given(student->email)) {
    char *local = xprintf("%.*s", (int)strcspn(student->email, "@"), student->email);
    aliases[count++] = alias_of("mailbox:", local);
    free(local);
  }
  if (given(student->name)) {
    char *normal = names_normal(student->name), *joined = names_joined(student->name, true);
    aliases[count++] = alias_of("name:", normal);
    aliases[count++] = alias_of("joined:", joined);
    free(normal);
    free(joined);
  }
  return count;
}

static void free_aliases(char **aliases, int count) {
  for (int i = 0; i < count; i++) free(aliases[i]);
}

static char *owner_of(struct gradebook *book, const char *alias) {
  return gradebook_string(book, "SELECT student FROM alias WHERE value=?1", "s", alias);
}

/* An identifier is one's own for good; of a name or mailbox that two have nobody is the owner. */
static void claim(struct gradebook *book, const char *alias, const char *id) {
  bool sure = strncmp(alias, "id:", 3) == 0 || strncmp(alias, "email:", 6) == 0;
  gradebook_run(book,
                sure ? "INSERT OR IGNORE INTO alias VALUES(?1, ?2)"
                     : "INSERT INTO alias VALUES(?1, ?2) ON CONFLICT(value) DO UPDATE SET "
                       "student=CASE WHEN student=?2 THEN ?2 END",
                "ss", alias, id);
}

char *student_find(struct gradebook *book, const struct student *student) {
  char *aliases[ALIASES], *id = NULL;
  int count = aliases_of(student, aliases);
  for (int i = 0; i < count && !id; i++) id = owner_of(book, aliases[i]);
  /* A folder may be named after a login, a mailbox, or a person, and a file as Canvas writes
   * names. */
  if (!id && given(student->id) && !given(student->email)) {
    char *mailbox = alias_of("mailbox:", student->id), *normal = names_normal(student->id),
         *name = alias_of("name:", normal), *joined = alias_of("joined:", student->id);
    id = owner_of(book, mailbox);
    if (!id && *normal &&
        strpbrk(student->id, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"))
      id = owner_of(book, name);
    if (!id) id = owner_of(book, joined);
    free(mailbox);
    free(normal);
    free(name);
    free(joined);
  }
  if (!id && given(student->name)) {
    char *joined = alias_of("joined:", student->name); /* "lovelaceada" */
    id = owner_of(book, joined);
    free(joined);
  }
  free_aliases(aliases, count);
  return id;
}

/* Is it by an identifier or address that these facts tell the student, not only by a name? */
static bool is_sure(struct gradebook *book, const struct student *student, const char *id) {
  char *aliases[ALIASES];
  int count = aliases_of(student, aliases);
  bool sure = false;
  for (int i = 0; i < count; i++) {
    char *owner = strncmp(aliases[i], "id:", 3) == 0 || strncmp(aliases[i], "email:", 6) == 0
                      ? owner_of(book, aliases[i])
                      : NULL;
    sure |= owner && strcmp(owner, id) == 0;
    free(owner);
  }
  free_aliases(aliases, count);
  return sure;
}

/* For the gradebook, whose text is UTF-8 without control characters. */
static char *clean(const char *value) {
  if (!given(value)) return NULL;
  struct text text = {0};
  text_add_printable(&text, value, strlen(value), true);
  return text.data;
}

char *student_add(struct gradebook *book, const struct student *student) {
  char *id = student_find(book, student);
  char *listed = id ? alias_of("listed:", id) : NULL, *other = NULL;
  if (student->listed && listed && (other = owner_of(book, listed)) &&
      !is_sure(book, student, id)) {
    free(id);
    id = NULL;
  }
  free(listed);
  free(other);
  if (!id) {
    const char *own = given(student->id)      ? student->id
                      : given(student->email) ? student->email
                                              : student->name;
    for (int i = 0; i < 4 && !given(own); i++) own = student->also[i];
    id = clean(given(own) ? own : "?");
    gradebook_run(book, "INSERT OR IGNORE INTO student(id) VALUES(?1)", "s", id);
  }
  char *name = clean(student->name), *email = clean(student->email),
       *section = clean(student->section);
  gradebook_run(book,
                "UPDATE student SET name=coalesce(name, ?2), email=coalesce(email, ?3), "
                "section=coalesce(section, ?4) WHERE id=?1",
                "ssss", id, name, email, section);
  free(name);
  free(email);
  free(section);
  char *aliases[ALIASES], *own = alias_of("id:", id);
  int count = aliases_of(student, aliases);
  claim(book, own, id);
  if (student->listed) {
    char *mark = alias_of("listed:", id);
    gradebook_run(book, "INSERT OR REPLACE INTO alias VALUES(?1, ?2)", "ss", mark, id);
    free(mark);
  }
  for (int i = 0; i < count; i++) claim(book, aliases[i], id);
  free(own);
  free_aliases(aliases, count);
  return id;
}
