/* roster.h: who is in the class, from a CSV file; headings are known in many spellings. */
#ifndef KIT_CLASS_ROSTER_H
#define KIT_CLASS_ROSTER_H

#include "class.h"
#include "csv.h"

struct roster_columns { /* -1: there is none */
  int id, sis, login, email, name, first, last, section;
};

/* False: there is no column that tells students apart. */
bool roster_find_columns(const struct csv *csv, struct roster_columns *columns);

/* A row's cells; *made: what has to be freed afterwards. */
struct student;
bool roster_student(const struct csv *csv, const struct roster_columns *columns, int row,
                    struct student *student, char **made);

/* Reads the roster into the gradebook, in a transaction of its own. Ends the program if the file
 * is no roster. Returns how many students it names. */
int roster_read(struct class *class, const char *path);

#endif
