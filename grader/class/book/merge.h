/* merge.h: a grade's JSON into the gradebook. */
#ifndef KIT_CLASS_MERGE_H
#define KIT_CLASS_MERGE_H

#include "grader/class/base/gradebook.h"

/* Takes the result of a work, which is that of its attempts (a group has several), in the
 * caller's transaction: whatever was there before is replaced, so that merging again is harmless.
 * Sets their status: graded, or error if the kit or machine failed. Returns NULL, or why the JSON
 * is no grade of that work (the caller's): then nothing is changed. */
char *merge_result(struct gradebook *book, const char *work, const json_t *result);
/* The same of the JSON's text. */
char *merge_text(struct gradebook *book, const char *work, const char *text);

/* The work has no result, and gets none: why. In the caller's transaction. */
void merge_failure(struct gradebook *book, const char *work, const char *reason);

/* Removes an attempt's measurements; wholly: the attempt itself, too. In the caller's
 * transaction. */
void merge_forget(struct gradebook *book, const char *attempt, bool wholly);

#endif
