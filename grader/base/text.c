/* text.c: strings and arrays that grow, die() and note(), "did you mean". */
#include "grader/base/text.h"

#include <errno.h>
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
  char *string;
  int length = vasprintf(&string, format, args);
  va_end(args);
  if (length < 0) die("out of memory");
  text_append(text, string, (size_t)length);
  free(string);
}

void text_free(struct text *text) {
  free(text->data);
  *text = (struct text){0};
}

const char *text_get(const struct text *text) { return text->data ? text->data : ""; }

/* Length of the UTF-8 sequence at s, or 0 if the bytes are not UTF-8 or encode a C1 control
 * character. */
static size_t utf8_length(const unsigned char *s, size_t left) {
  size_t length = s[0] >= 0xf0 && s[0] < 0xf5 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc2 ? 2 : 0;
  if (length == 0 || s[0] >= 0xf5 || length > left) return 0;
  for (size_t i = 1; i < length; i++) {
    if ((s[i] & 0xc0) != 0x80) return 0;
  }
  if (s[0] == 0xc2 && s[1] < 0xa0) return 0;
  /* Marks that reorder text (U+202A..E, U+2066..9) could make a line read as another. */
  if (s[0] == 0xe2 &&
      ((s[1] == 0x80 && s[2] >= 0xaa && s[2] <= 0xae) || (s[1] == 0x81 && s[2] >= 0xa6)))
    return 0;
  return length;
}

void text_add_printable(struct text *text, const char *bytes, size_t length, bool utf8) {
  const unsigned char *s = (const unsigned char *)bytes;
  for (size_t i = 0; i < length;) {
    if (s[i] == '\t') {
      text_append(text, "  ", 2);
      i++;
    } else if (s[i] >= 0x20 && s[i] < 0x7f) {
      text_append(text, bytes + i, 1);
      i++;
    } else {
      size_t sequence = s[i] >= 0x80 ? utf8_length(s + i, length - i) : 0;
      if (sequence > 0 && utf8) {
        text_append(text, bytes + i, sequence);
      } else {
        text_append(text, "?", 1);
      }
      i += sequence > 0 ? sequence : 1;
    }
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
