/* regrade.h: changes of stored grades: previews, and grading by the current lab.conf and kit. */
#ifndef KIT_CLASS_REGRADE_H
#define KIT_CLASS_REGRADE_H

#include "grader/class/base/class.h"
#include "grader/score/score.h"

enum regrade {
  REGRADE_OUTDATED, /* what another lab.conf or kit graded: scored from what was measured, run again
                       where that is not enough */
  REGRADE_ALL,      /* everything, in the same way */
  REGRADE_AGAIN,    /* what another lab.conf or kit graded: all of it is run again */
};

/* Scores graded works again, or makes attempts of them that are to be run again. A work whose files
 * are gone, and that cannot be scored without them, keeps its grade: a problem. Notes how many. */
void regrade_run(struct class *class, enum regrade regrade);

/* --- what differs (changes.c) --- */

/* What the labs are graded by now and were before: "lab2's lab.conf 1a2b3c4d -> 5e6f7a8b, lab2 by
 * kit 0.1 -> 0.2". The caller's. */
char *changes_cause(struct gradebook *old, struct gradebook *next);

/* Prints a line for each change that the preview has recorded. Returns how many there are. */
int changes_print(struct gradebook *old, struct gradebook *next);

/* --- previews (preview.c) ---
 *
 * A preview is a copy of the gradebook, STATE/preview.sqlite, in which everything is graded by the
 * current lab.conf and kit. The gradebook itself stays as it is, until the preview takes its place.
 * Both are resumed where a run was stopped. */

/* Makes the preview, or continues it, and lists on stdout which grades would change, and why. */
void preview_run(struct class *class, enum regrade regrade);

/* Puts the preview in the gradebook's place; class->book is then that. Ends the program if there is
 * none, or if the gradebook has changed since. */
void preview_accept(struct class *class);

/* --- stored.c: a grade as it was, from the gradebook's JSON, to be scored again or shown --- */

struct stored {
  json_t *json;
  struct lab lab;
  struct source source;
  struct grade grade; /* as grading_run leaves it, without what programs printed */
  bool no_file;       /* the file that was handed in is gone: it can be scored, but not shown */
  bool fits;          /* what was measured is all that the lab.conf of now asks for */
  char *why;          /* not: the first thing that is missing */
};

/* Fills *stored and scores it by the lab.conf of now; the verdict of a grade that does not fit is
 * not to be used. Returns false if the gradebook has no result of the work. */
bool stored_open(const struct class *class, const char *work, struct stored *stored);
void stored_free(struct stored *stored);

/* The new grade's JSON, with what stays as it was (kit_version, seconds, graded_with). The
 * caller's. */
json_t *stored_json(const struct stored *stored);

#endif
