/* text.h: strings and arrays that grow, the grader's three voices, guesses at mistyped words.
 *
 * die() is for our or the machine's fault, note() for information; a fault of the submission is
 * never printed on the spot but becomes part of the grade.
 */
#ifndef KIT_TEXT_H
#define KIT_TEXT_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A string that grows; {0} is an empty one. data is NUL-terminated, or NULL while nothing was
 * added. */
struct text {
  char *data;
  size_t length, capacity;
};

void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_append(struct text *text, const char *bytes, size_t length);
void text_free(struct text *text);
/* The string, "" if nothing was added. */
const char *text_get(const struct text *text);

/* Like their namesakes, but running out of memory ends the program through die(). */
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *memory, size_t bytes);
char *xstrdup(const char *string);
char *xprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *xvprintf(const char *format, va_list args) __attribute__((format(printf, 1, 0)));

/* Adds an element, all zeros, at the end of an array, and yields a pointer to it:
 *
 *     struct place *place = array_add(places->list, places->count);
 *     *array_add(words, word_count) = xstrdup(word);
 *
 * Both arguments are evaluated more than once, and both change. The array starts as NULL with a
 * count of 0, and nothing else may make it longer: it has room for the next power of two. */
#define array_add(list, count) \
  ((list) = array_grow((list), (size_t)(count), sizeof *(list)), &(list)[(count)++])
/* The array, perhaps moved, with element `count` all zeros. */
void *array_grow(void *list, size_t count, size_t size);

/* Prints "grade: ..." to stderr and exits with status 2. */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints a line to stderr. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* Copies what is safe to show on a terminal: control characters (C0, DEL, C1) become '?', tabs
 * become spaces, bytes that are not UTF-8 become '?', and so does everything beyond ASCII if utf8
 * is false. */
void text_add_printable(struct text *text, const char *bytes, size_t length, bool utf8);

/* The candidate most like word, or NULL if none is near: for "did you mean". */
const char *closest_word(const char *word, const char *const *candidates, size_t count);

/* For qsort() and bsearch(): the order of strings, by their bytes, in an array of char *. */
int compare_strings(const void *a, const void *b);

/* FNV-1a over the bytes, going on from hash; start with HASH_START. */
#define HASH_START 0xcbf29ce484222325u
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length);

#endif
