/* csv.c: reads tables of comma-separated values, and quotes cells. */
#include "grader/class/base/csv.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/file.h"

static char find_separator(const char *text, size_t length) {
  static const char candidates[] = ",;\t";
  size_t counts[3] = {0};
  bool quoted = false;
  for (size_t i = 0; i < length && (quoted || (text[i] != '\n' && text[i] != '\r')); i++) {
    if (text[i] == '"') quoted = !quoted;
    const char *found = quoted || !text[i] ? NULL : strchr(candidates, text[i]);
    if (found) counts[found - candidates]++;
  }
  int best = 0;
  for (int i = 1; i < 3; i++)
    if (counts[i] > counts[best]) best = i;
  return candidates[best];
}

static void add_cell(struct csv_row *row, struct text *value, size_t start, size_t end) {
  *array_add(row->cells, row->count) = (struct csv_cell){xstrdup(text_get(value)), start, end};
  value->length = 0;
  if (value->data) *value->data = '\0';
}

static void free_row(struct csv_row *row) {
  for (int i = 0; i < row->count; i++) free(row->cells[i].value);
  free(row->cells);
  *row = (struct csv_row){0};
}

/* An empty line is no row. */
static void add_row(struct csv *csv, struct csv_row *row) {
  if (row->count == 1 && row->cells[0].start == row->cells[0].end) {
    free_row(row);
    return;
  }
  *array_add(csv->rows, csv->count) = *row;
  *row = (struct csv_row){0};
}

char *csv_parse(const char *text, size_t length, struct csv *csv) {
  *csv = (struct csv){.text = xmemdup(text, length), .length = length};
  text = csv->text;
  if (memchr(text, '\0', length)) {
    bool wide = length >= 2 && ((text[0] == '\xff' && text[1] == '\xfe') ||
                                (text[0] == '\xfe' && text[1] == '\xff'));
    csv_free(csv);
    return xstrdup(
        wide ? "it is UTF-16: save it as CSV in UTF-8"
             : "it contains NUL bytes, so it is not a CSV file (a spreadsheet? save it as CSV)");
  }
  size_t at = length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0 ? 3 : 0, start = at;
  csv->separator = find_separator(text + at, length - at);
  struct csv_row row = {0};
  freed_by(text_free) struct text value = {0};
  int line = 1, opened = 0;
  bool quoted = false;
  for (; at < length; at++) {
    char c = text[at];
    bool newline = c == '\n' || (c == '\r' && (at + 1 == length || text[at + 1] != '\n'));
    line += newline;
    if (quoted && c == '"' && text[at + 1] != '"') {
      quoted = false;
    } else if (quoted) {
      at += c == '"';
      text_append(&value, &c, 1);
    } else if (c == '"' && at == start) {
      quoted = true;
      opened = line;
    } else if (c == csv->separator) {
      add_cell(&row, &value, start, at);
      start = at + 1;
    } else if (newline || c == '\r') {
      add_cell(&row, &value, start, at);
      add_row(csv, &row);
      if (c == '\r' && !newline) {
        at++;
        line++;
      }
      start = at + 1;
    } else {
      text_append(&value, &c, 1);
    }
  }
  if (!quoted && (start < length || row.count)) {
    add_cell(&row, &value, start, length);
    add_row(csv, &row);
  }
  free_row(&row);
  if (!quoted) return NULL;
  csv_free(csv);
  return xprintf("the quote opened in line %d is never closed", opened);
}

char *csv_read(const char *path, struct csv *csv) {
  size_t length;
  autofree char *text = file_read(path, &length);
  if (!text) {
    *csv = (struct csv){0};
    return xstrdup(strerror(errno));
  }
  return csv_parse(text, length, csv);
}

void csv_free(struct csv *csv) {
  for (int i = 0; i < csv->count; i++) free_row(&csv->rows[i]);
  free_all(csv->rows, csv->text);
  *csv = (struct csv){0};
}

const char *csv_value(const struct csv *csv, int row, int column) {
  if (row < 0 || row >= csv->count || column < 0 || column >= csv->rows[row].count) return "";
  return csv->rows[row].cells[column].value;
}

int csv_line(const struct csv *csv, int row) {
  int line = 1;
  size_t end = csv->rows[row].cells[0].start;
  for (size_t at = 0; at < end; at++)
    line += csv->text[at] == '\n' || (csv->text[at] == '\r' && csv->text[at + 1] != '\n');
  return line;
}

void csv_add(struct text *text, const char *value, char separator) {
  char special[] = {separator, '"', '\n', '\r', '\0'};
  size_t length = strlen(value);
  bool edges = length && (value[0] == ' ' || value[length - 1] == ' ');
  if (!edges && !strpbrk(value, special)) {
    text_append(text, value, length);
    return;
  }
  text_append(text, "\"", 1);
  for (const char *at = value; *at; at++) {
    if (*at == '"') text_append(text, "\"", 1);
    text_append(text, at, 1);
  }
  text_append(text, "\"", 1);
}

void csv_add_safe(struct text *text, const char *value, char separator) {
  bool formula = *value && strchr("=+-@\t\r", *value);
  autofree char *safe = xprintf("%s%s", formula ? "'" : "", value);
  csv_add(text, safe, separator);
}

/* Letters and digits only, in lower case; other alphabets' bytes are kept. */
static void plain(const char *from, char *to, size_t room) {
  size_t length = 0;
  for (; *from && length + 1 < room; from++)
    if (isalnum((unsigned char)*from) || (unsigned char)*from >= 0x80)
      to[length++] = (char)tolower((unsigned char)*from);
  to[length] = '\0';
}

bool csv_heading_is(const char *heading, const char *const *words) {
  char own[128], other[128];
  plain(heading, own, sizeof own);
  for (; *words; words++) {
    plain(*words, other, sizeof other);
    if (*own && strcmp(own, other) == 0) return true;
  }
  return false;
}

int csv_column(const struct csv *csv, const char *const *words) {
  for (; *words; words++) { /* words in the order of what is best */
    const char *one[] = {*words, NULL};
    for (int i = 0; csv->count && i < csv->rows[0].count; i++)
      if (csv_heading_is(csv->rows[0].cells[i].value, one)) return i;
  }
  return -1;
}
