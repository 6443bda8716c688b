/* copies.h: works that are byte for byte the same as another one that is graded in this run: they
 * get its grade. */
#ifndef KIT_CLASS_COPIES_H
#define KIT_CLASS_COPIES_H

#include "grader/class/base/class.h"

struct copy {
  char *of, *work;
  bool graded;
};

struct copies {
  struct copy *list; /* from copies_sort on by `of` */
  int count;
};

/* Adds work as a copy of `of` if the files of both are the same. False: they are not. */
bool copies_add(const struct class *class, const char *of, const char *work, struct copies *copies);
void copies_sort(struct copies *copies);
/* The copies of a work: the first of them; *count may be 0. */
struct copy *copies_of(const struct copies *copies, const char *of, int *count);
void copies_free(struct copies *copies);

#endif
