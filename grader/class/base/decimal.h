/* decimal.h: numbers in tables as spreadsheets and learning platforms write them.
 *
 * Twelve and a half is 12.50 or 12,50, and 1.000 is one or a thousand. A cell alone often does not
 * show which, so all cells of a column (or of several in one file) are looked at, and then the
 * decimal sign is decided for all of them:
 *
 *     struct decimal_evidence evidence = {0};
 *     struct decimal_format format;
 *     for (each row) decimal_see(&evidence, cell, line);
 *     char *wrong = decimal_decide(&evidence, csv.separator, &format);
 *     ... decimal_read(&format, cell, &value) ... decimal_write(&format, value) ...
 *
 * A number may have blanks around it and a minus sign before it. Its integer part may be grouped by
 * three with one kind of mark: a blank (also a no-break or a thin one), an apostrophe, or whichever
 * of . and , is not the decimal sign. Anything else is no number: percent signs, exponents,
 * hexadecimal digits, words. An empty cell and a lone "-" are nothing.
 *
 * What a cell shows:
 *     12.50  12,5  1234.567  0,500   the decimal sign: it cannot group, there are not three digits
 *                                    after it, or it has more than three or a zero before it
 *     1,234.50  1.000.000            the decimal sign: the other one groups
 *     1.000  100,000                 nothing certain: other cells decide
 *     100  1 000                     nothing: either sign gives the same number */
#ifndef KIT_CLASS_DECIMAL_H
#define KIT_CLASS_DECIMAL_H

#include <stdbool.h>

struct decimal_format {
  char sign; /* '.' or ',' */
};

struct decimal_cell {
  const char *text; /* the caller's; NULL: there is no such cell */
  int line;
};

/* What the cells show; {0} before the first. */
struct decimal_evidence {
  char forced; /* set by the caller: '.' or ',' if the user has decided; '\0': the cells decide */
  struct decimal_cell proof[2]; /* the first that is a number with '.' only, with ',' only */
  struct decimal_cell unclear;  /* the first such as 1,000 */
};

/* Looks at a cell, which must last until the decision; `line` is for messages. Returns false if it
 * is neither a number nor empty: it shows nothing then, and decimal_read() refuses it. */
bool decimal_see(struct decimal_evidence *evidence, const char *cell, int line);

/* Decides by what was seen. Where that proves nothing, the file's separator decides: with
 * semicolons, decimal signs are commas; with commas or tabs, they are points, but a cell such as
 * 1,000 is an error. Returns NULL, or a sentence that names cells and their lines, the caller's.
 * Whatever decimal_see() took for a number can be read in the format decided on. */
char *decimal_decide(const struct decimal_evidence *evidence, char separator,
                     struct decimal_format *format);

/* Nothing but blanks, or "-". */
bool decimal_is_empty(const char *cell);
/* The number in a cell; false, with *value as it was, if there is none. */
bool decimal_read(const struct decimal_format *format, const char *cell, double *value);
/* A finite number with at most two decimals: "8,8", "100", "-0,25"; the caller's. It is not quoted
 * for CSV: see csv_add(). */
char *decimal_write(const struct decimal_format *format, double value);

#endif
