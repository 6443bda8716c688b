/* roster.c: see roster.h. */
#include "roster.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "student.h"

/* In each list the surest first. Canvas: ID, SIS User ID, SIS Login ID, Student, Section;
 * Moodle: Identifier, Full name, ID number, Email address, Username; Gradescope: Name, SID,
 * Email, Sections. */
static const char *const id_words[] = {"id",
                                       "student id",
                                       "student number",
                                       "identifier",
                                       "user id",
                                       "canvas user id",
                                       "matriculation number",
                                       "matrikelnummer",
                                       "university id",
                                       NULL};
static const char *const sis_words[] = {"sis user id",  "sis id",   "sid",
                                        "id number",    "idnumber", "integration id",
                                        "orgdefinedid", NULL};
static const char *const login_words[] = {"sis login id", "login", "login id", "username",
                                          "user name",    "user",  "account",  "netid",
                                          "net id",       NULL};
static const char *const email_words[] = {"email",          "e-mail", "email address",
                                          "e-mail address", "mail",   NULL};
static const char *const name_words[] = {
    "name",         "full name",     "student",        "student name",
    "display name", "sortable name", "preferred name", NULL};
static const char *const first_words[] = {"first name", "first",   "given name",
                                          "forename",   "vorname", NULL};
static const char *const last_words[] = {"last name",   "last",     "surname",
                                         "family name", "nachname", NULL};
static const char *const section_words[] = {"section", "sections", "group",
                                            "class",   "course",   NULL};

bool roster_find_columns(const struct csv *csv, struct roster_columns *columns) {
  *columns = (struct roster_columns){
      .id = csv_column(csv, id_words),
      .sis = csv_column(csv, sis_words),
      .login = csv_column(csv, login_words),
      .email = csv_column(csv, email_words),
      .name = csv_column(csv, name_words),
      .first = csv_column(csv, first_words),
      .last = csv_column(csv, last_words),
      .section = csv_column(csv, section_words),
  };
  return columns->id >= 0 || columns->sis >= 0 || columns->login >= 0 || columns->email >= 0 ||
         columns->name >= 0 || columns->last >= 0;
}

/* Moodle's "Participant 123" is 123 in the names of files. */
static const char *identifier(const char *value) {
  const char *last = strrchr(value, ' ');
  if (last && last[1] && strspn(last + 1, "0123456789") == strlen(last + 1) &&
      !strpbrk(value, ",@") && isalpha((unsigned char)*value))
    return last + 1;
  return value;
}

bool roster_student(const struct csv *csv, const struct roster_columns *columns, int row,
                    struct student *student, char **made) {
  const char *first = csv_value(csv, row, columns->first),
             *last = csv_value(csv, row, columns->last);
  *made = *first || *last ? xprintf("%s%s%s", first, *first && *last ? " " : "", last) : NULL;
  const char *name = csv_value(csv, row, columns->name);
  *student = (struct student){
      .id = identifier(csv_value(csv, row, columns->id)),
      .name = *name   ? name
              : *made ? *made
                      : "",
      .email = csv_value(csv, row, columns->email),
      .section = csv_value(csv, row, columns->section),
      .also = {csv_value(csv, row, columns->sis), csv_value(csv, row, columns->login)},
      .listed = true,
  };
  if (!*student->id && *student->also[0]) student->id = student->also[0];
  if (!*student->id && *student->also[1]) student->id = student->also[1];
  /* Canvas's own rows. */
  const char *shown = student->name + strspn(student->name, " ");
  bool none = strcmp(shown, "Points Possible") == 0 || strcmp(shown, "Student, Test") == 0;
  return !none && (*student->id || *student->email || *student->name);
}

int roster_read(struct class *class, const char *path) {
  struct csv csv;
  char *wrong = csv_read(path, &csv);
  if (wrong) die("roster %s: %s", path, wrong);
  struct roster_columns columns;
  if (csv.count == 0 || !roster_find_columns(&csv, &columns))
    die("roster %s: the first line names no column such as id, login, name or email", path);
  int count = 0;
  gradebook_begin(class->book);
  for (int row = 1; row < csv.count; row++) {
    struct student student;
    char *made;
    if (roster_student(&csv, &columns, row, &student, &made)) {
      free(student_add(class->book, &student));
      count++;
    }
    free(made);
  }
  gradebook_commit(class->book);
  csv_free(&csv);
  return count;
}
