/* history.h: every change of a grade, with when, why, and what it was before.
 *
 * The grade of a student in a lab is that of the attempt that counts. What it was is kept in the
 * gradebook's `standing`; whatever differs from that is a change, whoever made it: what a killed
 * run did not record, the next one does. */
#ifndef KIT_CLASS_HISTORY_H
#define KIT_CLASS_HISTORY_H

#include "grader/class/base/class.h"

/* Decides which attempts count, and records what has changed since the last call; in the caller's
 * transaction. cause: what has happened, for people ("--policy best", "the roster"). */
void history_record(struct gradebook *book, const char *cause);

/* --log STUDENT: prints their grades' changes on stdout, oldest first. Ends the program if there is
 * no such student. */
void history_print(struct class *class, const char *student);

#endif
