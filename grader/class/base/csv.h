/* csv.h: tables as spreadsheets and learning platforms write them (RFC 4180 and the like).
 *
 * Fields may be quoted, with quotes doubled and line ends inside; lines end with LF, CRLF or CR; a
 * byte order mark is skipped; the separator is a comma, a semicolon or a tab, whichever is most
 * frequent in the first line. Bytes that are no UTF-8 stay what they are. */
#ifndef KIT_CLASS_CSV_H
#define KIT_CLASS_CSV_H

#include <stdbool.h>
#include <stddef.h>

#include "grader/base/text.h"

struct csv_cell {
  char *value;       /* without quotes */
  size_t start, end; /* where it stands in the text, quotes included */
};

struct csv_row {
  struct csv_cell *cells;
  int count;
};

struct csv {
  char *text;
  size_t length;
  char separator;
  struct csv_row *rows; /* without empty lines */
  int count;
};

/* Parses a copy of the text. Returns NULL, or what is wrong in which line (the caller's). */
char *csv_parse(const char *text, size_t length, struct csv *csv);
/* The same for a file. */
char *csv_read(const char *path, struct csv *csv);
void csv_free(struct csv *csv);

/* A row's cell, "" if it has fewer. */
const char *csv_value(const struct csv *csv, int row, int column);

/* The line of the file that a row begins in, from 1. */
int csv_line(const struct csv *csv, int row);

/* Adds a field as it is written in a file: quoted if it has to be. */
void csv_add(struct text *text, const char *value, char separator);
/* The same for files that we make and spreadsheets open: what starts like a formula (= + - @, a
 * tab) gets an apostrophe before it. Numbers do not need this. */
void csv_add_safe(struct text *text, const char *value, char separator);

/* Is a heading one of these words (NULL-terminated), whatever its case, blanks, _, -, brackets? */
bool csv_heading_is(const char *heading, const char *const *words);
/* The first column of row 0 whose heading is one of them, or -1. */
int csv_column(const struct csv *csv, const char *const *words);

#endif
