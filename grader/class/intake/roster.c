/* roster.c: finds people in tables by the headings that platforms use. What platforms call their
 * columns, and where that is written down:
 *
 *   Canvas's gradebook   Student (or LastName, FirstName), ID, SIS User ID, SIS Login ID, Section;
 *                        in English whatever the language (instructure/canvas-lms,
 *                        lib/gradebook_exporter.rb)
 *   Moodle's worksheet   Identifier, Full name, Email address, ...; in the teacher's language. The
 *                        identifier is a word and the number: "Participant 123", in German
 *                        "Teilnehmer/in123" (moodle/moodle, mod/assign/gradingtable.php)
 *   Gradescope's roster  First Name, Last Name, SID, Email, Role, Section
 *   GitHub Classroom's   identifier, github_username, github_id, name (RosterEntry.to_csv) */
#include "grader/class/intake/roster.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"
#include "grader/class/base/gradebook.h"
#include "grader/class/people/names.h"

/* --- columns --- */

/* In each list the most certain first. */
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

/* Does the column hold such numbers, rather than a university's ("u1001")? */
static bool holds_participants(const struct csv *csv, int column) {
  bool any = false, all = true;
  for (int row = 1; column >= 0 && row < csv->count; row++) {
    const char *value = csv_value(csv, row, column), *number = participant(value);
    if (!*value) continue;
    autofree char *words = xprintf("%.*s", number ? (int)(number - value) : 0, value);
    any = true;
    all &= names_is_participant(words);
  }
  return any && all;
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

/* A student's id in the gradebook: the most certain that the university gave. */
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
       named && gradebook_number(book, "SELECT listed FROM student WHERE id=?1", "s", id);
       other++) {
    free(id);
    autofree char *name = identity_clean(mention->name);
    id = xprintf("%s (%d)", name, other);
  }
  autofree char *name = gradebook_text(mention->name),
                *email = gradebook_text(csv_value(csv, row, columns->identity[IDENTITY_EMAIL])),
                *section = gradebook_text(csv_value(csv, row, columns->section)),
                *submitted = time_of(csv_value(csv, row, columns->submitted));
  gradebook_run(book,
                "INSERT INTO student(id, name, email, section, listed, submitted)"
                " VALUES(?1, ?2, ?3, ?4, 1, ?5) ON CONFLICT(id) DO UPDATE SET"
                " name=?2, email=?3, section=?4, listed=1, submitted=?5",
                "sssss", id, name, email, section, submitted);
  for (int i = 0; i < mention->count; i++)
    gradebook_run(book, "INSERT OR IGNORE INTO identifier VALUES(?1, ?2, ?3)", "sss",
                  identity_names[mention->identities[i].kind], mention->identities[i].value, id);
  return id;
}

/* --- who is in it twice --- */

/* Where in the file an id, or another number or account, stands. */
struct place {
  char *kind, *value;
  int line;
};

struct places {
  struct place *list;
  int count;
};

static void add_place(struct places *places, const char *kind, const char *value, int line) {
  *array_add(places->list, places->count) = (struct place){xstrdup(kind), xstrdup(value), line};
}

/* Numbers and accounts are one person's; an address may be shared, and then identifies nobody. */
static void add_places(struct places *places, const struct mention *mention, const char *id,
                       int line) {
  add_place(places, "student", id, line);
  for (int i = 0; i < mention->count; i++)
    if (mention->identities[i].kind != IDENTITY_EMAIL &&
        strcmp(mention->identities[i].value, id) != 0)
      add_place(places, identity_names[mention->identities[i].kind], mention->identities[i].value,
                line);
}

static int by_place(const void *a, const void *b) {
  const struct place *x = a, *y = b;
  int difference = strcmp(x->kind, y->kind);
  if (!difference) difference = strcmp(x->value, y->value);
  return difference ? difference : x->line - y->line;
}

/* Sorts them, and ends the program if somebody, or something of theirs, stands in two lines. */
static void check_twice(const char *path, struct places *places) {
  struct text list = {0};
  array_sort(places->list, places->count, by_place);
  for (int i = 1; i < places->count; i++) {
    const struct place *a = &places->list[i - 1], *b = &places->list[i];
    if (strcmp(a->kind, b->kind) == 0 && strcmp(a->value, b->value) == 0 && a->line != b->line)
      text_add(&list, "\n    %s %s: lines %d and %d", a->kind, a->value, a->line, b->line);
  }
  if (list.length) die("roster %s: the same number or account in two lines:%s", path, list.data);
}

static void free_places(struct places *places) {
  for (int i = 0; i < places->count; i++) free_all(places->list[i].kind, places->list[i].value);
  free(places->list);
}

/* Times that are none, as of a language that is not known. */
static void report_wrong_times(const struct class *class, const char *path, const struct csv *csv,
                               int column) {
  int wrong = 0, first = 0;
  for (int row = csv->count - 1; row > 0; row--) {
    const char *words = csv_value(csv, row, column);
    long long seconds;
    if (!*words || strcmp(words, "-") == 0 || moodle_date(words, &seconds)) continue;
    wrong++;
    first = row;
  }
  if (wrong)
    class_note(class,
               "roster %s: line %d: '%s' is not a date that the kit reads (%d such): it is not "
               "known when these were handed in",
               path, csv_line(csv, first), csv_value(csv, first, column), wrong);
}

int roster_read(struct class *class, const char *path) {
  struct csv csv;
  char *wrong = csv_read(path, &csv);
  if (wrong) die("roster %s: %s", path, wrong);
  struct roster_columns columns;
  if (csv.count == 0) die("roster %s: it is empty", path);
  if (!roster_find_columns(class, &csv, &columns))
    die("roster %s: none of the headings %s is recognised as id, login, name or email; name one "
        "with --columns name=HEADING",
        path, roster_headings(&csv));
  struct gradebook *book = class->book;
  gradebook_run(book, "UPDATE student SET listed=0, submitted=NULL", "");
  gradebook_run(book, "DELETE FROM identifier", "");
  struct places places = {0};
  int count = 0;
  for (int row = 1; row < csv.count; row++) {
    struct mention mention;
    char *name;
    if (roster_row(&csv, &columns, row, &mention, &name)) {
      autofree char *id = add_row(book, &csv, &columns, row, &mention);
      add_places(&places, &mention, id, csv_line(&csv, row));
      count++;
    }
    mention_free(&mention);
    free(name);
  }
  report_wrong_times(class, path, &csv, columns.submitted);
  csv_free(&csv);
  if (count == 0) die("roster %s: it lists nobody", path);
  check_twice(path, &places);
  free_places(&places);
  return count;
}
