/* preview.h: what a changed lab.conf or kit would do to the grades of a class, before it does.
 *
 * A preview is a copy of the gradebook, STATE/preview.sqlite, in which everything is graded by the
 * lab.conf and kit of now. The gradebook itself stays as it is, until the preview takes its place.
 * Both are resumed where a run was stopped. */
#ifndef KIT_CLASS_PREVIEW_H
#define KIT_CLASS_PREVIEW_H

#include "grader/class/regrade/regrade.h"

/* Makes the preview, or goes on with it, and lists on stdout which grades would change, and why. */
void preview_run(struct class *class, enum regrade regrade);

/* Has the preview be the gradebook, which class->book then is. Ends the program if there is none,
 * or if the gradebook has changed since. */
void preview_accept(struct class *class);

#endif
