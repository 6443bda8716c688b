/* text.c: strings and arrays that grow, die() and note(), "did you mean". */
#include "grader/base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void die(const char *format, ...) {
  va_list args;
  va_start(args, format);
  fputs("grade: ", stderr);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
  exit(2);
}

void note(const char *format, ...) {
  va_list args;
  va_start(args, format);
  vfprintf(stderr, format, args);
  fputc('\n', stderr);
  va_end(args);
}

void *xcalloc(size_t count, size_t size) {
  void *memory = calloc(count ? count : 1, size ? size : 1);
  if (!memory) die("out of memory");
  return memory;
}

void *xrealloc(void *memory, size_t bytes) {
  void *grown = realloc(memory, bytes ? bytes : 1);
  if (!grown) die("out of memory");
  return grown;
}

void *array_grow(void *list, size_t count, size_t size) {
  bool full = (count & (count - 1)) == 0; /* 0, 1, 2, 4, 8, ... */
  if (full) list = xrealloc(list, (count ? 2 * count : 1) * size);
  memset((char *)list + count * size, 0, size);
  return list;
}

char *xstrdup(const char *string) {
  char *copy = strdup(string);
  if (!copy) die("out of memory");
  return copy;
}

char *xvprintf(const char *format, va_list args) {
  char *string;
  if (vasprintf(&string, format, args) < 0) die("out of memory");
  return string;
}

char *xprintf(const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *string = xvprintf(format, args);
  va_end(args);
  return string;
}

char *xmemdup(const void *bytes, size_t length) {
  char *copy = xcalloc(length + 1, 1);
  if (length > 0) memcpy(copy, bytes, length);
  return copy;
}

void free_pointer(void *address) { free(*(void **)address); }

void free_pointers(void **pointers, size_t count) {
  for (size_t i = 0; i < count; i++) free(pointers[i]);
}

void text_append(struct text *text, const char *bytes, size_t length) {
  if (text->length + length + 1 > text->capacity) {
    text->capacity = (text->length + length + 1) * 2;
    text->data = xrealloc(text->data, text->capacity);
  }
  if (length > 0) memcpy(text->data + text->length, bytes, length);
  text->length += length;
  text->data[text->length] = '\0';
}

void text_add(struct text *text, const char *format, ...) {
  va_list args;
  va_start(args, format);
  autofree char *string = xvprintf(format, args);
  va_end(args);
  text_append(text, string, strlen(string));
}

void text_free(struct text *text) {
  free(text->data);
  *text = (struct text){0};
}

char *text_take(struct text *text) {
  text_append(text, "", 0);
  return text->data;
}

const char *text_get(const struct text *text) { return text->data ? text->data : ""; }

long utf8_decode(const char *bytes, size_t left, size_t *length) {
  const unsigned char *s = (const unsigned char *)bytes;
  static const long min[] = {0, 0, 0x80, 0x800, 0x10000};
  size_t need = s[0] < 0x80 ? 1 : s[0] < 0xc0 ? 0 : s[0] < 0xe0 ? 2 : s[0] < 0xf0 ? 3 : 4;
  *length = 1;
  if (need == 0 || need > left) return -1;
  if (need == 1) return s[0];
  long code = s[0] & (0x7f >> need);
  for (size_t i = 1; i < need; i++) {
    if ((s[i] & 0xc0) != 0x80) return -1;
    code = code << 6 | (s[i] & 0x3f);
  }
  if (s[0] >= 0xf8 || code < min[need] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
    return -1;
  *length = need;
  return code;
}

/* Control characters (C1), and marks that reorder text and could make a line read as another. */
static bool is_unsafe(long code) {
  return code < 0xa0 || (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code < 0x2080);
}

void text_add_printable(struct text *text, const char *bytes, size_t length, bool utf8) {
  for (size_t i = 0, step; i < length; i += step) {
    long code = utf8_decode(bytes + i, length - i, &step);
    if (code == '\t') {
      text_append(text, "  ", 2);
    } else if (code >= 0x20 && code < 0x7f) {
      text_append(text, bytes + i, 1);
    } else if (is_unsafe(code)) {
      text_append(text, "?", 1);
      step = 1;
    } else {
      text_append(text, utf8 ? bytes + i : "?", utf8 ? step : 1);
    }
  }
}

void text_add_lines(struct text *text, const char *bytes, size_t length, bool utf8) {
  for (size_t at = 0, stop; at < length; at = stop + 1) {
    const char *line_end = memchr(bytes + at, '\n', length - at);
    stop = line_end ? (size_t)(line_end - bytes) : length;
    text_add_printable(text, bytes + at, stop - at, utf8);
    if (line_end) text_append(text, "\n", 1);
  }
}

/* Edits (insert, delete, replace, swap of neighbours) that turn a into b; words longer than 63
 * count as far apart. */
static int edit_distance(const char *a, const char *b) {
  int m = (int)strlen(a), n = (int)strlen(b);
  if (m > 63 || n > 63) return 64;
  int d[64][64];
  for (int i = 0; i <= m; i++) d[i][0] = i;
  for (int j = 0; j <= n; j++) d[0][j] = j;
  for (int i = 1; i <= m; i++) {
    for (int j = 1; j <= n; j++) {
      int best = d[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
      if (d[i - 1][j] + 1 < best) best = d[i - 1][j] + 1;
      if (d[i][j - 1] + 1 < best) best = d[i][j - 1] + 1;
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1] &&
          d[i - 2][j - 2] + 1 < best) {
        best = d[i - 2][j - 2] + 1;
      }
      d[i][j] = best;
    }
  }
  return d[m][n];
}

const char *closest_word(const char *word, const char *const *candidates, size_t count) {
  const char *best = NULL;
  int limit = strlen(word) >= 6 ? 3 : 2, best_distance = limit + 1;
  for (size_t i = 0; i < count; i++) {
    int distance = edit_distance(word, candidates[i]);
    if (distance < best_distance && distance < (int)strlen(candidates[i])) {
      best_distance = distance;
      best = candidates[i];
    }
  }
  return best;
}

int compare_strings(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length) {
  const unsigned char *s = bytes;
  for (size_t i = 0; i < length; i++) hash = (hash ^ s[i]) * 0x100000001b3u;
  return hash;
}
