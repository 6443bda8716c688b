/* regrade.h: changes of stored grades: previews, and grading again by the current lab.conf and kit.
 */
#ifndef KIT_CLASS_REGRADE_H
#define KIT_CLASS_REGRADE_H

#include "grader/class/base/class.h"

enum regrade {
  REGRADE_OUTDATED, /* what another lab.conf or kit graded: scored from what was measured, run again
                       where that is not enough */
  REGRADE_ALL,      /* everything, in the same way */
  REGRADE_AGAIN,    /* what another lab.conf or kit graded: all of it is run again */
};

/* Scores graded works again, or makes attempts of them that are to be run again. One whose files
 * are gone keeps its grade if it cannot be scored without them; that is a problem. Notes how many
 * of each. */
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

#endif
