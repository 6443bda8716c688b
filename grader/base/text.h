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

/* A string that grows; {0} is empty. data is NUL-terminated, or NULL while nothing was added. */
struct text {
  char *data;
  size_t length, capacity;
};

void text_add(struct text *text, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_append(struct text *text, const char *bytes, size_t length);
void text_free(struct text *text);
/* The string, "" if nothing was added. */
const char *text_get(const struct text *text);
/* The same as the caller's own, to be freed by free(). */
char *text_take(struct text *text);

/* Like their namesakes, but running out of memory ends the program through die(). */
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *memory, size_t bytes);
char *xstrdup(const char *string);
char *xprintf(const char *format, ...) __attribute__((format(printf, 1, 2)));
char *xvprintf(const char *format, va_list args) __attribute__((format(printf, 1, 0)));
/* A copy, with a NUL behind it. */
char *xmemdup(const void *bytes, size_t length);

/* Local variables that are freed where they go out of scope. They start with a value:
 *
 *     autofree char *path = xprintf("%s/%s", folder, name);
 *     freed_by(text_free) struct text words = {0}; */
#define autofree freed_by(free_pointer)
#define freed_by(function) __attribute__((cleanup(function)))
/* Frees what the pointer points to whose address it gets. */
void free_pointer(void *address);
/* free() for each of them:   free_all(person->name, person->email); */
#define free_all(...) \
  free_pointers((void *[]){__VA_ARGS__}, sizeof(void *[]){__VA_ARGS__} / sizeof(void *))
void free_pointers(void **pointers, size_t count);

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
/* qsort() and bsearch() for an array that may be empty. */
#define array_sort(list, count, compare) \
  ((count) > 0 ? qsort(list, (size_t)(count), sizeof *(list), compare) : (void)0)
#define array_search(key, list, count, compare) \
  ((count) > 0 ? bsearch(key, list, (size_t)(count), sizeof *(list), compare) : NULL)

/* Prints "grade: ..." to stderr and exits with status 2. */
_Noreturn void die(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints a line to stderr. */
void note(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* The character that the bytes begin with, *length of them; -1 with *length 1 if they are no UTF-8:
 * overlong, a surrogate, beyond U+10FFFF, cut off. left: how many there are, at least 1. */
long utf8_decode(const char *bytes, size_t left, size_t *length);

/* Copies what is safe to show on a terminal: tabs become spaces; control characters (C0, DEL, C1),
 * bytes that are not UTF-8 and, if utf8 is false, everything beyond ASCII become '?'. */
void text_add_printable(struct text *text, const char *bytes, size_t length, bool utf8);

/* The same, but line ends stay. */
void text_add_lines(struct text *text, const char *bytes, size_t length, bool utf8);

/* The candidate most like word, or NULL if none is near: for "did you mean". */
const char *closest_word(const char *word, const char *const *candidates, size_t count);

/* For qsort() and bsearch(): the order of strings, by their bytes, in an array of char *. */
int compare_strings(const void *a, const void *b);

/* FNV-1a over the bytes, going on from hash; start with HASH_START. */
#define HASH_START 0xcbf29ce484222325u
uint64_t hash_bytes(uint64_t hash, const void *bytes, size_t length);

#endif
