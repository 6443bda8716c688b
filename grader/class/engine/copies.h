/* copies.h: works of the same code (same_code.h) as another one that is graded in this run: they
 * get its grade. */
#ifndef KIT_CLASS_COPIES_H
#define KIT_CLASS_COPIES_H

#include "grader/class/base/class.h"
#include "grader/class/base/digest.h"

struct copy {
  char *of, *work;
  bool exact; /* byte for byte */
  bool graded;
};

struct copies {
  struct copy *list; /* from copies_sort on by `of` */
  int count;
};

/* A digest of the code of a work's files, to find those of the same code. */
void copies_digest(const struct class *class, const char *work, char hex[SHA256_HEX]);
/* Adds work as a copy of `of` if the code of both is the same. False: it is not. */
bool copies_add(const struct class *class, const char *of, const char *work, struct copies *copies);
void copies_sort(struct copies *copies);
/* The copies of a work: the first of them; *count may be 0. */
struct copy *copies_of(const struct copies *copies, const char *of, int *count);
void copies_free(struct copies *copies);

#endif
