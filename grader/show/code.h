/* code.h: colours for C++ and CUDA source, by line: which bytes are a keyword, a comment, ... */
#ifndef KIT_CODE_H
#define KIT_CODE_H

#include <stdbool.h>
#include <stddef.h>

enum code_kind {
  CODE_PLAIN,
  CODE_COMMENT,
  CODE_KEYWORD,
  CODE_CUDA,
  CODE_STRING,
  CODE_NUMBER,
  CODE_DIRECTIVE
};

/* What goes on from one line to the next; {0} at the start of a file. */
struct code_state {
  bool in_comment;
};

/* The piece at the start of these bytes (at least one; not part of a character of several bytes):
 * its length, and what it is. first: it is the first of its line, not counting blanks. Good for
 * looks only: raw strings and continued lines are not known. */
size_t code_next(struct code_state *state, const char *bytes, size_t length, bool first,
                 enum code_kind *kind);

#endif
