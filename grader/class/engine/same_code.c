/* same_code.c: removes comments where nothing can be wrong with that. */
#include "grader/class/engine/same_code.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "grader/base/text.h"

struct reader {
  const char *at, *end;
  bool in_directive; /* a line that starts with #, and what continues it */
  bool line_begins;  /* only blanks so far */
  bool unclear;
};

static bool starts(const struct reader *reader, const char *word) {
  size_t length = strlen(word);
  return (size_t)(reader->end - reader->at) >= length && memcmp(reader->at, word, length) == 0;
}

static bool contains(const char *from, const char *end, const char *word) {
  return memmem(from, (size_t)(end - from), word, strlen(word)) != NULL;
}

static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r'; }

/* Does a backslash join the line that ends here with the next one? */
static bool is_continued(const char *from, const char *end) {
  while (end > from && is_blank(end[-1])) end--;
  return end > from && end[-1] == '\\';
}

static const char *end_of_line(const struct reader *reader) {
  const char *end = memchr(reader->at, '\n', (size_t)(reader->end - reader->at));
  return end ? end : reader->end;
}

/* The end of the string or character constant that starts here. */
static const char *end_of_quoted(const struct reader *reader) {
  const char *at = reader->at, *end = reader->end;
  char quote = *at++;
  while (at < end && *at != quote && *at != '\n') at += *at == '\\' && at + 1 < end ? 2 : 1;
  return at < end && *at == quote ? at + 1 : at;
}

/* The end of the comment that starts here. */
static const char *end_of_comment(struct reader *reader) {
  const char *end = end_of_line(reader);
  if (reader->at[1] == '/') {
    reader->unclear |= is_continued(reader->at, end);
    return end;
  }
  const char *close = memmem(reader->at + 2, (size_t)(reader->end - reader->at - 2), "*/", 2);
  end = close ? close + 2 : reader->end;
  for (const char *at = reader->at; at < end; at++)
    reader->unclear |= *at == '\n' && is_continued(reader->at, at);
  return end;
}

/* Drops blanks behind the last character. */
static void trim(struct text *text, bool lines) {
  while (text->length && (is_blank(text->data[text->length - 1]) ||
                          (lines && text->data[text->length - 1] == '\n')))
    text->data[--text->length] = '\0';
}

/* A comment becomes a blank and its line feeds. */
static void add_comment(struct text *text, const char *from, const char *end) {
  text_append(text, " ", 1);
  for (; from < end; from++) {
    if (*from != '\n') continue;
    trim(text, false);
    text_append(text, "\n", 1);
  }
}

static void add_next(struct reader *reader, struct text *text) {
  const char *from = reader->at;
  char before = text->length ? text->data[text->length - 1] : '\n';
  reader->at++;
  if (*from == '\n') {
    reader->in_directive &= is_continued(text->data, text->data + text->length);
    reader->line_begins = true;
    trim(text, false);
  } else if (*from == '"' || *from == '\'') {
    /* a raw string, a prefix, or a separator in a number */
    reader->unclear |= isalnum((unsigned char)before) || before == '_';
    reader->at = from;
    reader->at = end_of_quoted(reader);
  } else if (*from == '#' && reader->line_begins) {
    reader->in_directive = true;
  } else if (*from == '/' && reader->at < reader->end && *reader->at == '\\') {
    reader->unclear = true;
  }
  if (*from != '\n' && !is_blank(*from)) reader->line_begins = false;
  text_append(text, from, (size_t)(reader->at - from));
}

char *same_code(const char *bytes, size_t length, size_t *kept) {
  struct reader reader = {bytes, bytes + length, .line_begins = true};
  struct text text = {0};
  text_append(&text, "", 0);
  reader.unclear = contains(bytes, reader.end, "\?\?") || contains(bytes, reader.end, "%:") ||
                   memchr(bytes, '\0', length);
  while (reader.at < reader.end && !reader.unclear) {
    if (!starts(&reader, "//") && !starts(&reader, "/*")) {
      add_next(&reader, &text);
      continue;
    }
    const char *from = reader.at, *end = end_of_comment(&reader);
    /* A directive may have a file's name there that only looks like a comment. */
    if (reader.in_directive || memchr(from, '=', (size_t)(end - from)))
      text_append(&text, from, (size_t)(end - from));
    else
      add_comment(&text, from, end);
    reader.at = end;
  }
  trim(&text, true);
  if (reader.unclear) {
    text.length = 0;
    text_append(&text, bytes, length);
  }
  *kept = text.length;
  return text.data;
}
