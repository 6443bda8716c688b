/* similar_strip.c: extracts a file's kernels. Of C++ it reads comments, strings and braces. */
#include "grader/class/report/similar.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "grader/base/text.h"

/* The end of the string or character constant that starts here. */
static const char *skip_quoted(const char *at) {
  char quote = *at++;
  while (*at && *at != quote && *at != '\n') at += at[0] == '\\' && at[1] ? 2 : 1;
  return *at == quote ? at + 1 : at;
}

/* A copy with comments as blanks; line feeds stay. */
static char *without_comments(const char *text) {
  char *copy = xstrdup(text);
  for (char *at = copy; *at;) {
    if (*at == '"' || *at == '\'') {
      at += skip_quoted(at) - at;
    } else if (at[0] == '/' && at[1] == '/') {
      while (*at && *at != '\n') *at++ = ' ';
    } else if (at[0] == '/' && at[1] == '*') {
      char *end = strstr(at + 2, "*/");
      end = end ? end + 2 : at + strlen(at);
      for (; at < end; at++)
        if (*at != '\n') *at = ' ';
    } else {
      at++;
    }
  }
  return copy;
}

static bool is_word(const char *text, const char *at, const char *word) {
  size_t length = strlen(word);
  bool starts = at == text || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
  return starts && strncmp(at, word, length) == 0 &&
         !(isalnum((unsigned char)at[length]) || at[length] == '_');
}

/* The end of what starts with __global__ or __device__: of the function's body, or the semicolon of
 * a declaration or variable. */
static const char *end_of_function(const char *at) {
  int depth = 0;
  while (*at) {
    if (*at == '"' || *at == '\'') {
      at = skip_quoted(at);
      continue;
    }
    if (*at == '{') depth++;
    if (*at == '}' && --depth <= 0) return at + 1;
    if (*at == ';' && depth == 0) return at + 1;
    at++;
  }
  return at;
}

/* Marks the bytes of functions that run on the device; false: there are none. */
static bool mark_kernels(const char *text, bool *marked) {
  bool any = false;
  for (const char *at = text; *at;) {
    if (*at == '"' || *at == '\'') {
      at = skip_quoted(at);
    } else if (is_word(text, at, "__global__") || is_word(text, at, "__device__")) {
      const char *end = end_of_function(at);
      for (; at < end; at++) marked[at - text] = any = true;
    } else {
      at++;
    }
  }
  return any;
}

char *similar_bare(const char *text) {
  char *bare = xcalloc(strlen(text) + 1, 1), *to = bare;
  for (; *text; text++)
    if (!isspace((unsigned char)*text)) *to++ = *text;
  return bare;
}

/* --- the skeleton's lines --- */

struct lines {
  char **bare;
  int count;
};

static struct lines lines_of(const char *text) {
  struct lines lines = {0};
  char *copy = without_comments(text), *rest = copy, *line;
  while ((line = strsep(&rest, "\n")) != NULL)
    *array_add(lines.bare, lines.count) = similar_bare(line);
  free(copy);
  array_sort(lines.bare, lines.count, compare_strings);
  return lines;
}

static bool has_line(const struct lines *lines, const char *bare) {
  return array_search(&bare, lines->bare, lines->count, compare_strings);
}

char *similar_strip(const char *text, const char *skeleton) {
  autofree char *code = without_comments(text);
  autofree bool *marked = xcalloc(strlen(code) + 1, sizeof *marked);
  bool any = mark_kernels(code, marked);
  struct lines known = skeleton ? lines_of(skeleton) : (struct lines){0};
  struct text kept = {0};
  for (char *at = code; *at;) {
    size_t length = strcspn(at, "\n");
    bool inside = !any;
    for (size_t i = 0; i < length; i++) inside |= marked[at - code + (long)i];
    size_t shown = length; /* without blanks at its end */
    while (shown > 0 && isspace((unsigned char)at[shown - 1])) shown--;
    autofree char *line = xprintf("%.*s", (int)shown, at), *bare = similar_bare(line);
    if (inside && *bare && !has_line(&known, bare)) text_add(&kept, "%s\n", line);
    at += length + (at[length] == '\n');
  }
  for (int i = 0; i < known.count; i++) free(known.bare[i]);
  free(known.bare);
  return kept.data ? kept.data : xstrdup("");
}
