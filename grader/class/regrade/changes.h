/* changes.h: which grades differ between a gradebook and its preview, and why. */
#ifndef KIT_CLASS_CHANGES_H
#define KIT_CLASS_CHANGES_H

#include "grader/class/base/gradebook.h"

/* What the labs are graded by now and were before: "lab2's lab.conf 1a2b3c4d -> 5e6f7a8b, lab2 by
 * kit 0.1 -> 0.2". The caller's. */
char *changes_cause(struct gradebook *old, struct gradebook *next);

/* Prints a line for each change that the preview has recorded. Returns how many there are. */
int changes_print(struct gradebook *old, struct gradebook *next);

#endif
