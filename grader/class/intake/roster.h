/* roster.h: people in tables: who is in the class, and whose row of a platform's table it is. */
#ifndef KIT_CLASS_ROSTER_H
#define KIT_CLASS_ROSTER_H

#include "grader/class/base/class.h"
#include "grader/class/base/csv.h"
#include "grader/class/people/people.h"

/* Columns of a table; -1: there is none. */
struct roster_columns {
  int identity[IDENTITY_KINDS]; /* IDENTITY_FOLDER: none */
  int sis;                      /* another IDENTITY_ID */
  int name, first, last, section, submitted;
};

/* Finds them by headings that platforms are known to write, or as --columns names them. False:
 * there is nothing that distinguishes people. */
bool roster_find_columns(const struct class *class, const struct csv *csv,
                         struct roster_columns *columns);
/* The column that --columns gives for a key ("grade"), else the first with one of these headings;
 * -1. Ends the program if --columns names a heading that is not there. */
int roster_column(const struct class *class, const struct csv *csv, const char *key,
                  const char *const *words);
/* The headings of a table, for messages: "'Name', 'Nota'". The caller's. */
char *roster_headings(const struct csv *csv);

/* Whom a row means; false: nobody (a row of the platform's own, an empty one). *name: the caller's,
 * as the mention has it; mention->name points to it. */
bool roster_row(const struct csv *csv, const struct roster_columns *columns, int row,
                struct mention *mention, char **name);

/* Makes this the gradebook's roster, in the caller's transaction. Ends the program if the file is
 * no roster, or gives two people one number or account. Returns how many it names. */
int roster_read(struct class *class, const char *path);

/* --- moodle_date.c: dates as Moodle's worksheets have them, in "Last modified (submission)" --- */

/* Reads a date with its time into seconds since 1970. Moodle writes it in the instructor's time
 * zone, without naming that: this machine's is taken ($TZ). In English, German, French, Spanish,
 * Italian, Portuguese or Dutch, as strftimedaydatetime and strftimedatetime of Moodle's language
 * packs have it (langconfig.php, 4.4), with the name of the day or without:
 *
 *     Saturday, 31 January 2026, 11:59 PM         Samstag, 31. Januar 2026, 23:59
 *     Saturday, January 31, 2026, 11:59 PM        sábado, 31 de janeiro de 2026 às 23:59
 *
 * or 2026-01-31 23:59. Seconds may follow the minutes. Returns false, with *seconds as it was, for
 * anything else ("-", nothing), and for what no calendar has: 31 February, a wrong weekday. */
bool moodle_date(const char *text, long long *seconds);

#endif
