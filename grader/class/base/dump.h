/* dump.h: the gradebook as text, to compare two. */
#ifndef KIT_CLASS_DUMP_H
#define KIT_CLASS_DUMP_H

#include <stdio.h>

#include "grader/class/base/gradebook.h"

/* Every row of every table, in an order that does not depend on when it was written; without
 * clock times (graded_at, seconds), pseudonyms and their key, which differ from one run to the
 * next. */
void dump_print(struct gradebook *book, FILE *file);

#endif
