/* roster.c: see roster.h. What platforms call their columns, and where that is written down:
 *
 *   Canvas's gradebook   Student (or LastName, FirstName), ID, SIS User ID, SIS Login ID, Section;
 *                        in English whatever the language (instructure/canvas-lms,
 *                        lib/gradebook_exporter.rb)
 *   Moodle's worksheet   Identifier, Full name, Email address, ...; in the teacher's language. The
 *                        identifier is a word and the number: "Participant 123", in German
 *                        "Teilnehmer/in123" (moodle/moodle, mod/assign/gradingtable.php)
 *   Gradescope's roster  First Name, Last Name, SID, Email, Role, Section
 *   GitHub Classroom's   identifier, github_username, github_id, name (RosterEntry.to_csv) */
#include "roster.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "gradebook.h"
#include "moodle_date.h"
#include "text.h"

/* --- columns --- */

/* In each list the surest first. */
static const char *const id_words[] = {"id",
                                       "student id",
                                       "student number",
                                       "matriculation number",
                                       "university id",
                                       "matrikelnummer",
                                       "identifier",
                                       "user id",
                                       "sid",
                                       "id number",
                                       "idnumber",
                                       "orgdefinedid",
                                       "sis id",
                                       "sis user id",
                                       "integration id",
                                       NULL};
static const char *const sis_words[] = {"sis user id", "sis id", "integration id", "id number",
                                        "idnumber",    "sid",    "orgdefinedid",   NULL};
static const char *const canvas_words[] = {"canvas id", "canvas user id", NULL};
static const char *const moodle_words[] = {"moodle id", "participant", "participant number", NULL};
static const char *const github_words[] = {"github username", "github", "github login",
                                           "github account", NULL};
static const char *const login_words[] = {"sis login id", "login",        "login id",    "username",
                                          "user name",    "user",         "account",     "netid",
                                          "net id",       "benutzername", "anmeldename", NULL};
static const char *const email_words[] = {
    "email", "e-mail", "email address", "e-mail address", "mail", "e-mail-adresse", NULL};
static const char *const name_words[] = {"name",           "full name",          "student",
                                         "student name",   "display name",       "sortable name",
                                         "preferred name", "vollständiger name", NULL};
static const char *const first_words[] = {"first name", "first",   "given name", "firstname",
                                          "forename",   "vorname", NULL};
static const char *const last_words[] = {"last name",   "last",     "surname",      "lastname",
                                         "family name", "nachname", "familienname", NULL};
static const char *const section_words[] = {"section", "sections", "group", "class",
                                            "course",  "gruppe",   NULL};
static const char *const submitted_words[] = {"last modified (submission)",
                                              "zuletzt geändert (abgabe)", NULL};

char *roster_headings(const struct csv *csv) {
  struct text text = {0};
  for (int i = 0; csv->count && i < csv->rows[0].count; i++)
    text_add(&text, "%s'%s'", i ? ", " : "", csv_value(csv, 0, i));
  return text.data ? text.data : xstrdup("none");
}

int roster_column(const struct class *class, const struct csv *csv, const char *key,
                  const char *const *words) {
  const struct class_options *options = class->options;
  for (int i = 0; i < options->columns_count; i++) {
    const char *equals = strchr(options->columns[i], '=');
    if (strncmp(options->columns[i], key, (size_t)(equals - options->columns[i])) != 0 ||
        strlen(key) != (size_t)(equals - options->columns[i]))
      continue;
    const char *const wanted[] = {equals + 1, NULL};
    int column = csv_column(csv, wanted);
    if (column < 0)
      die("--columns %s: there is no such heading; there are %s", options->columns[i],
          roster_headings(csv));
    return column;
  }
  return words ? csv_column(csv, words) : -1;
}

static bool has_headings(const struct csv *csv, const char *const *words) {
  for (; *words; words++) {
    const char *const one[] = {*words, NULL};
    if (csv_column(csv, one) < 0) return false;
  }
  return true;
}

/* The number of "Participant 123" or "Teilnehmer/in123"; NULL: there are no letters before it. */
static const char *participant(const char *value) {
  const char *end = value + strlen(value), *start = end;
  while (start > value && isdigit((unsigned char)start[-1])) start--;
  bool letters = start > value && *start;
  for (const char *at = value; at < start; at++)
    letters &= isalpha((unsigned char)*at) || (unsigned char)*at >= 0x80 || strchr(" /.-", *at);
  return letters ? start : NULL;
}

/* Does the column hold numbers, each behind the same word? Student numbers may begin with letters,
 * too, as "u0012": a participant is a longer word in every language, and its number is counted. */
static bool holds_participants(const struct csv *csv, int column) {
  enum { SHORTEST = 8 }; /* bytes */
  const char *first = NULL;
  size_t length = 0;
  for (int row = 1; column >= 0 && row < csv->count; row++) {
    const char *value = csv_value(csv, row, column), *number = participant(value);
    if (!*value) continue;
    if (!number || *number == '0' || number - value < SHORTEST) return false;
    if (first && (length != (size_t)(number - value) || strncmp(first, value, length) != 0))
      return false;
    first = value;
    length = (size_t)(number - value);
  }
  return first != NULL;
}

bool roster_find_columns(const struct class *class, const struct csv *csv,
                         struct roster_columns *columns) {
  static const char *const canvas[] = {"ID", "Section", NULL},
                           *const student[] = {"Student", "LastName", NULL},
                           *const identifier[] = {"identifier", "id", NULL};
  for (int i = 0; i < IDENTITY_KINDS; i++) columns->identity[i] = -1;
  columns->identity[IDENTITY_CANVAS] = roster_column(class, csv, "canvas", canvas_words);
  columns->identity[IDENTITY_MOODLE] = roster_column(class, csv, "moodle", moodle_words);
  columns->identity[IDENTITY_GITHUB] = roster_column(class, csv, "github", github_words);
  columns->identity[IDENTITY_LOGIN] = roster_column(class, csv, "login", login_words);
  columns->identity[IDENTITY_EMAIL] = roster_column(class, csv, "email", email_words);
  int id = roster_column(class, csv, "id", id_words);
  columns->sis = roster_column(class, csv, "sis", sis_words);
  if (columns->sis == id) columns->sis = -1;
  int own = csv_column(csv, identifier);
  if (csv_column(csv, student) >= 0 && has_headings(csv, canvas) && id == own) {
    columns->identity[IDENTITY_CANVAS] = id;
    id = columns->sis;
    columns->sis = -1;
  } else if (columns->identity[IDENTITY_MOODLE] < 0 && columns->identity[IDENTITY_GITHUB] < 0 &&
             holds_participants(csv, own)) {
    columns->identity[IDENTITY_MOODLE] = own;
    if (id == own) {
      id = columns->sis;
      columns->sis = -1;
    }
  }
  columns->identity[IDENTITY_ID] = id;
  columns->name = roster_column(class, csv, "name", name_words);
  columns->first = roster_column(class, csv, "first", first_words);
  columns->last = roster_column(class, csv, "last", last_words);
  columns->section = roster_column(class, csv, "section", section_words);
  columns->submitted = roster_column(class, csv, "submitted", submitted_words);
  bool any = columns->name >= 0 || columns->last >= 0;
  for (int i = 0; i < IDENTITY_KINDS; i++) any |= columns->identity[i] >= 0;
  return any;
}

/* --- rows --- */

/* "Lovelace, Ada" of two columns, so that it is clear which is the family's name. */
static char *name_of(const struct csv *csv, const struct roster_columns *columns, int row) {
  const char *whole = csv_value(csv, row, columns->name),
             *first = csv_value(csv, row, columns->first),
             *last = csv_value(csv, row, columns->last);
  if (*whole || (!*first && !*last)) return xstrdup(whole + strspn(whole, " "));
  return xprintf("%s%s%s", first, *first && *last ? " " : "", last);
}

bool roster_row(const struct csv *csv, const struct roster_columns *columns, int row,
                struct mention *mention, char **name) {
  *mention = (struct mention){.person = -1};
  *name = name_of(csv, columns, row);
  mention->name = **name ? *name : NULL;
  for (int kind = 0; kind < IDENTITY_KINDS; kind++) {
    const char *value = csv_value(csv, row, columns->identity[kind]),
               *number = kind == IDENTITY_MOODLE ? participant(value) : NULL;
    mention_identify(mention, (enum identity_kind)kind, number ? number : value);
  }
  mention_identify(mention, IDENTITY_ID, csv_value(csv, row, columns->sis));
  /* Canvas's own rows. */
  bool own = strncmp(*name, "Points Possible", 15) == 0 || strcmp(*name, "Student, Test") == 0 ||
             strcmp(*name, "Test Student") == 0;
  return !own && (mention->count > 0 || mention->name);
}

/* --- the roster --- */

/* One line for each value that two people have. Numbers and accounts are one person's; an address
 * may be shared, and then tells nobody. */
static void check_unique(const char *path, struct gradebook *book) {
  struct text list = {0};
  sqlite3_stmt *rows = gradebook_query(
      book,
      "SELECT kind, value, group_concat(student, ', ') FROM"
      " (SELECT kind, value, student FROM identifier WHERE kind<>'email' ORDER BY student)"
      " GROUP BY kind, value HAVING count(*) > 1 ORDER BY kind, value",
      "");
  while (gradebook_next(book, rows))
    text_add(&list, "\n    %s %s: %s", sqlite3_column_text(rows, 0), sqlite3_column_text(rows, 1),
             sqlite3_column_text(rows, 2));
  sqlite3_finalize(rows);
  if (list.length) die("roster %s gives several people one number or account:%s", path, list.data);
}

/* What a student goes by in the gradebook: the surest that the university gave. */
static char *id_of(const struct mention *mention, int row) {
  static const enum identity_kind kinds[] = {IDENTITY_ID,     IDENTITY_LOGIN,  IDENTITY_GITHUB,
                                             IDENTITY_CANVAS, IDENTITY_MOODLE, IDENTITY_EMAIL};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (int i = 0; i < mention->count; i++)
      if (mention->identities[i].kind == kinds[k]) return xstrdup(mention->identities[i].value);
  char *name = identity_clean(mention->name ? mention->name : "");
  if (*name) return name;
  free(name);
  return xprintf("row %d", row);
}

/* For the gradebook, whose text is UTF-8 without control characters; NULL for nothing. */
static char *clean(const char *value) {
  if (!value || !*value) return NULL;
  struct text text = {0};
  text_add_printable(&text, value, strlen(value), true);
  return text.data;
}

static char *time_of(const char *words) {
  long long seconds;
  return moodle_date(words, &seconds) ? gradebook_time(seconds) : NULL;
}

/* Adds a row. Returns the student's id; the caller's. */
static char *add_row(struct gradebook *book, const struct csv *csv,
                     const struct roster_columns *columns, int row, const struct mention *mention) {
  char *id = id_of(mention, row);
  /* Two lines of one name and nothing else are two people. */
  bool named = mention->count == 0;
  for (int other = 2;
       named && gradebook_number(book, 0, "SELECT listed FROM student WHERE id=?1", "s", id);
       other++) {
    free(id);
    char *name = identity_clean(mention->name);
    id = xprintf("%s (%d)", name, other);
    free(name);
  }
  char *name = clean(mention->name),
       *email = clean(csv_value(csv, row, columns->identity[IDENTITY_EMAIL])),
       *section = clean(csv_value(csv, row, columns->section)),
       *submitted = time_of(csv_value(csv, row, columns->submitted));
  gradebook_run(book,
                "INSERT INTO student(id, name, email, section, listed, submitted)"
                " VALUES(?1, ?2, ?3, ?4, 1, ?5) ON CONFLICT(id) DO UPDATE SET"
                " name=?2, email=?3, section=?4, listed=1, submitted=?5",
                "sssss", id, name, email, section, submitted);
  for (int i = 0; i < mention->count; i++)
    gradebook_run(book, "INSERT OR IGNORE INTO identifier VALUES(?1, ?2, ?3)", "sss",
                  identity_names[mention->identities[i].kind], mention->identities[i].value, id);
  free(submitted);
  free(section);
  free(email);
  free(name);
  return id;
}

/* Where in the file an id stands. */
struct place {
  char *id;
  int line;
};

static int by_id(const void *a, const void *b) {
  const struct place *x = a, *y = b;
  int difference = strcmp(x->id, y->id);
  return difference ? difference : x->line - y->line;
}

/* Sorts them. */
static void check_twice(const char *path, struct place *places, int count) {
  struct text list = {0};
  if (count) qsort(places, (size_t)count, sizeof *places, by_id);
  for (int i = 1; i < count; i++)
    if (strcmp(places[i - 1].id, places[i].id) == 0)
      text_add(&list, "\n    %s: lines %d and %d", places[i].id, places[i - 1].line,
               places[i].line);
  if (list.length) die("roster %s has people twice:%s", path, list.data);
}

int roster_read(struct class *class, const char *path) {
  struct csv csv;
  char *wrong = csv_read(path, &csv);
  if (wrong) die("roster %s: %s", path, wrong);
  struct roster_columns columns;
  if (csv.count == 0) die("roster %s: it is empty", path);
  if (!roster_find_columns(class, &csv, &columns))
    die("roster %s: none of the headings %s is known as one of id, login, name or email; say which "
        "with --columns name=HEADING",
        path, roster_headings(&csv));
  struct gradebook *book = class->book;
  gradebook_run(book, "UPDATE student SET listed=0, submitted=NULL", "");
  gradebook_run(book, "DELETE FROM identifier", "");
  struct place *places = xcalloc((size_t)csv.count, sizeof *places);
  int count = 0;
  for (int row = 1; row < csv.count; row++) {
    struct mention mention;
    char *name;
    if (roster_row(&csv, &columns, row, &mention, &name))
      places[count++] =
          (struct place){add_row(book, &csv, &columns, row, &mention), csv_line(&csv, row)};
    mention_free(&mention);
    free(name);
  }
  csv_free(&csv);
  if (count == 0) die("roster %s: it names nobody", path);
  check_twice(path, places, count);
  check_unique(path, book);
  for (int i = 0; i < count; i++) free(places[i].id);
  free(places);
  return count;
}
