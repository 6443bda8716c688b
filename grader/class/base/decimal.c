/* decimal.c: reads and writes numbers with a decimal point or comma.
 *
 * There is one reader, which is given the decimal sign. What a cell shows comes from reading it
 * with either: what is a number with only one of them proves that sign. */
#include "grader/class/base/decimal.h"

#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"

enum { POINT, COMMA };
static const char signs[] = {[POINT] = '.', [COMMA] = ','};

#define NO_BREAK_SPACE "\xc2\xa0"         /* U+00A0 */
#define THIN_SPACE "\xe2\x80\x89"         /* U+2009 */
#define NARROW_NO_BREAK "\xe2\x80\xaf"    /* U+202F */
#define RIGHT_QUOTATION "\xe2\x80\x99"    /* U+2019, the apostrophe of Switzerland's locales */
#define MATHEMATICAL_MINUS "\xe2\x88\x92" /* U+2212 */

static const char *const blanks[] = {
    " ", "\t", "\r", "\n", NO_BREAK_SPACE, THIN_SPACE, NARROW_NO_BREAK, NULL};
static const char *const minuses[] = {"-", MATHEMATICAL_MINUS, NULL};
/* Beside the sign that is not the decimal one. */
static const char *const groupings[] = {
    " ", "'", NO_BREAK_SPACE, THIN_SPACE, NARROW_NO_BREAK, RIGHT_QUOTATION, NULL};

/* --- reading --- */

/* The length of the mark that the text begins with; 0: of none. */
static size_t mark_at(const char *text, const char *const *marks) {
  for (; *marks; marks++)
    if (strncmp(text, *marks, strlen(*marks)) == 0) return strlen(*marks);
  return 0;
}

static const char *skip_blanks(const char *at) {
  for (size_t length; (length = mark_at(at, blanks)) > 0;) at += length;
  return at;
}

static size_t count_digits(const char *at) { return strspn(at, "0123456789"); }

/* A number without what groups it, as strtod() takes it. A double has 17 digits that matter. */
struct plain {
  char text[64];
  size_t length;
};

/* False if there are too many. */
static bool add(struct plain *plain, const char *from, size_t count) {
  if (count >= sizeof plain->text - plain->length) return false;
  memcpy(plain->text + plain->length, from, count);
  plain->length += count;
  return true;
}

/* Reads up to what cannot be in an integer part. No thousands begin with 0: 0,500 has none. */
static bool read_integer(const char **at, char sign, struct plain *plain) {
  size_t first = count_digits(*at);
  bool may_group = first >= 1 && first <= 3 && **at != '0';
  if (!add(plain, *at, first)) return false;
  const char *mark = *at += first;
  size_t length = *mark == (sign == '.' ? ',' : '.') ? 1 : mark_at(mark, groupings);
  while (may_group && length && strncmp(*at, mark, length) == 0 &&
         count_digits(*at + length) == 3) {
    if (!add(plain, *at + length, 3)) return false;
    *at += length + 3;
  }
  return true;
}

static bool read_fraction(const char **at, char sign, struct plain *plain) {
  if (**at != sign) return true;
  size_t digits = count_digits(*at + 1);
  if (!digits || !add(plain, ".", 1) || !add(plain, *at + 1, digits)) return false;
  *at += 1 + digits;
  return true;
}

bool decimal_read(const struct decimal_format *format, const char *cell, double *value) {
  struct plain plain = {0};
  const char *at = skip_blanks(cell);
  size_t minus = mark_at(at, minuses);
  at += minus;
  if (!read_integer(&at, format->sign, &plain) || !read_fraction(&at, format->sign, &plain))
    return false;
  if (plain.length == 0 || *skip_blanks(at)) return false;
  double size = strtod(plain.text, NULL);
  *value = minus ? -size : size;
  return true;
}

bool decimal_is_empty(const char *cell) {
  const char *at = skip_blanks(cell);
  return !*at || (*at == '-' && !*skip_blanks(at + 1));
}

/* --- deciding --- */

static void keep_first(struct decimal_cell *kept, const char *cell, int line) {
  if (!kept->text) *kept = (struct decimal_cell){cell, line};
}

bool decimal_see(struct decimal_evidence *evidence, const char *cell, int line) {
  bool is_number[2];
  double value;
  for (int i = POINT; i <= COMMA; i++)
    is_number[i] = decimal_read(&(struct decimal_format){signs[i]}, cell, &value);
  if (is_number[POINT] != is_number[COMMA])
    keep_first(&evidence->proof[is_number[COMMA] ? COMMA : POINT], cell, line);
  else if (is_number[POINT] && strchr(cell, ','))
    keep_first(&evidence->unclear, cell, line);
  return is_number[POINT] || is_number[COMMA] || decimal_is_empty(cell);
}

/* "line 3 has 12,50", without blanks around the number. The caller's. */
static char *describe(const struct decimal_cell *cell) {
  const char *start = skip_blanks(cell->text), *end = start;
  while (*skip_blanks(end)) end++;
  return xprintf("line %d has %.*s", cell->line, (int)(end - start), start);
}

static char *contradiction(const struct decimal_cell *a, const struct decimal_cell *b) {
  bool in_order = a->line <= b->line;
  autofree char *first = describe(in_order ? a : b), *second = describe(in_order ? b : a);
  return xprintf("%s, %s: it is not clear which is the decimal sign", first, second);
}

static char *not_as_forced(const struct decimal_cell *cell, char forced) {
  autofree char *place = describe(cell);
  return xprintf("%s, which is not a number with a decimal %s", place,
                 forced == '.' ? "point" : "comma");
}

static char *undecided(const struct decimal_cell *cell) {
  double values[2];
  for (int i = POINT; i <= COMMA; i++)
    decimal_read(&(struct decimal_format){signs[i]}, cell->text, &values[i]);
  autofree char *place = describe(cell);
  return xprintf("%s, which may be %g or %g: say which with --decimal comma or --decimal point",
                 place, values[COMMA], values[POINT]);
}

char *decimal_decide(const struct decimal_evidence *evidence, char separator,
                     struct decimal_format *format) {
  const struct decimal_cell *point = &evidence->proof[POINT], *comma = &evidence->proof[COMMA];
  if (evidence->forced) {
    const struct decimal_cell *against = evidence->forced == '.' ? comma : point;
    if (against->text) return not_as_forced(against, evidence->forced);
    format->sign = evidence->forced;
  } else if (point->text && comma->text) {
    return contradiction(point, comma);
  } else if (point->text || comma->text) {
    format->sign = point->text ? '.' : ',';
  } else if (separator == ';') {
    format->sign = ',';
  } else if (evidence->unclear.text) {
    return undecided(&evidence->unclear);
  } else {
    format->sign = '.';
  }
  return NULL;
}

/* --- writing --- */

char *decimal_write(const struct decimal_format *format, double value) {
  char *text = xprintf("%.2f", value), *end = text + strlen(text);
  while (end[-1] == '0') *--end = '\0';
  if (end[-1] == '.') *--end = '\0';
  if (strcmp(text, "-0") == 0) strcpy(text, "0");
  char *point = strchr(text, '.');
  if (point) *point = format->sign;
  return text;
}
