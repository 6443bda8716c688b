/* stored.h: a grade as it was, from the JSON that the gradebook keeps: to be scored again, or
 * shown. */
#ifndef KIT_CLASS_STORED_H
#define KIT_CLASS_STORED_H

#include <jansson.h>

#include "grader/class/base/class.h"
#include "grader/score/score.h"

struct stored {
  json_t *json;
  struct lab lab;
  struct source source;
  struct grade grade; /* as grading_run leaves it, without what programs printed */
  bool no_file;       /* the file that was handed in is gone: it can be scored, but not shown */
  bool fits;          /* what was measured is all that the lab.conf of now asks for */
  char *why;          /* not: the first thing that is missing */
};

/* Fills *stored and scores it by the lab.conf of now; the verdict of a grade that does not fit
 * is not to be used. Returns false if the gradebook has no result of the work. */
bool stored_open(const struct class *class, const char *work, struct stored *stored);
void stored_free(struct stored *stored);

/* The new grade's JSON, with what stays as it was (kit_version, seconds). The caller's. */
json_t *stored_json(const struct stored *stored);

#endif
