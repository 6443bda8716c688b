/* same_code.h: what of a source file its grade depends on. */
#ifndef KIT_CLASS_SAME_CODE_H
#define KIT_CLASS_SAME_CODE_H

#include <stddef.h>

/* A copy of a file without comments, trailing blanks, and empty lines at its end: two files with
 * the same copy compile to the same, line by line. Comments that may hold an answer (answers.h)
 * stay, and where it is not certain what a comment is (raw strings, trigraphs, ...) all does.
 * Takes a file of `length` bytes; the caller's, with a '\0' behind its *kept bytes. */
char *same_code(const char *bytes, size_t length, size_t *kept);

#endif
