/* blocks.h: a text in Markdown that two write: the kit its blocks, again and again, and the student
 * all the rest, which stays.
 *
 *   <!-- kit: machine -->
 *   ... what the kit writes
 *   <!-- kit: end -->
 */
#ifndef KIT_BLOCKS_H
#define KIT_BLOCKS_H

#include "grader/base/text.h"

struct block {
  const char *name; /* "machine" */
  struct text text;
  bool there; /* blocks_replace has found its place */
};

/* Appends a block, with its marks. */
void block_add(const struct block *block, struct text *to);
/* The old text with what these blocks hold now; a block without a place in it is left out, and one
 * of another name stays. Returns NULL and *error (the caller's), "line 12: ...", if a mark is
 * missing or doubled: nobody can tell then whose words those are. The caller's. */
char *blocks_replace(const char *old, struct block *blocks, int count, char **error);

#endif
